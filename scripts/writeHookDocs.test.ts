import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { hookNames } from '../src/hooks/hookCatalog.ts';
import { renderHookDocs } from './renderHookDocs.ts';
import { hookDocsPath } from './writeHookDocs.ts';

/** Fields that the newest description of upstream's hooks names, by the heading they stand under. */
const promised = {
  before_tool_call: [
    'toolName',
    'params',
    'runId?',
    'toolCallId?',
    'derivedPaths?',
    'requireApproval?',
    'blockReason?',
  ],
  llm_output: [
    'contextTokenBudget?',
    'contextWindowSource?',
    'contextWindowReferenceTokens?',
    'usage?',
    'resolvedRef?',
  ],
  model_call_ended: ['callId', 'durationMs', 'outcome', 'errorCategory?', 'upstreamRequestIdHash?'],
  before_agent_run: [
    'prompt',
    'messages',
    'systemPrompt',
    'accountId?',
    'channelId?',
    'senderId?',
    'senderIsOwner?',
  ],
  message_received: ['threadId?', 'messageId?', 'senderId?', 'sessionKey?', 'runId?', 'metadata?'],
  cron_changed: ['action', 'jobId', 'job?', 'deliveryStatus?'],
  MessageHookContext: ['sessionKey?', 'traceId?', 'spanId?', 'parentSpanId?', 'callDepth?'],
  AgentHookContext: ['jobId?', 'contextTokenBudget?', 'trigger?'],
  ToolHookContext: ['jobId?', 'getSessionExtension?'],
} as const;

it('keeps docs/hooks.md as the catalog and the types say, every hook and every promised field in it', async () => {
  const text = await renderHookDocs();
  // Stale? node scripts/run.mjs writeHookDocs
  expect(await readFile(hookDocsPath, 'utf8')).toBe(text);
  const sections = new Map(text.split('\n### ').map((part) => [part.split('\n')[0], part]));
  expect(hookNames.filter((hook) => !sections.has(hook))).toEqual([]);
  for (const [heading, fields] of Object.entries(promised)) {
    const missing = fields.filter((field) => sections.get(heading)?.includes(`\`${field}\``) !== true);
    expect([heading, missing]).toEqual([heading, []]);
  }
}, 30_000);
