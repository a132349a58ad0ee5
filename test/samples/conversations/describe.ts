import { changedFilesOf } from '../../../src/agent/changedFilesOf.ts';
import { basename } from 'node:path';
import type { AgentEvent } from '../../../src/contracts/agentEvent.ts';
import type { AgentMessage } from '../../../src/contracts/message.ts';
import type { SessionEntry } from '../../../src/contracts/sessionEntry.ts';
import type { TestRuntime } from '../../builders/openTestRuntime.ts';
import { readEntries } from './openConversation.ts';

/** The texts of a message, those that were added to the user's words included. */
export function wordsOf(message: AgentMessage | undefined): string {
  const parts = message?.content ?? [];
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** What a turn told, one line each; pieces of text and numbers are left out. */
export function golden(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => lineOf(event) ?? []);
}

function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'message':
      return describeMessage(event.message);
    case 'tool_started':
      return `start ${event.call.id}`;
    case 'tool_ended':
      return `end ${event.call.id}${howItEnded(event.result.details, event.result.isError)}`;
    case 'approval_requested':
      return `asks: ${event.request.title}`;
    case 'approval_resolved':
      return `answered: ${event.resolution}`;
    case 'steered':
      return `steered: ${wordsOf(event.message)} (${String(event.skipped)} skipped)`;
    case 'follow_up':
      return `follow-up: ${wordsOf(event.message)}`;
    case 'model_fallback':
      return `fallback to ${event.to.provider}/${event.to.model}: ${event.because.code}`;
    case 'subagent_call_ended': {
      const { details, isError } = event.result;
      const files = changedFilesOf(details).map(({ file, status }) => ` ${status} ${basename(file)}`);
      return `${event.label}: end ${event.call.id}${files.join()}${howItEnded(details, isError)}`;
    }
    case 'compaction_started':
    case 'compaction_ended':
    case 'compaction_failed':
      return event.type;
    case 'notice':
      return `notice: ${event.text}`;
    case 'run_ended':
      return `ended: ${event.outcome.status}`;
    case 'waiting':
    case 'run_started':
    case 'text':
    case 'thinking':
    case 'model_retry':
    case 'usage':
    case 'tool_progress':
      return undefined;
  }
}

function howItEnded(details: unknown, isError: boolean): string {
  const { status, reason } = (details ?? {}) as Readonly<Record<string, unknown>>;
  if (status === 'skipped') return ` (skipped: ${String(reason)})`;
  return isError ? ' (error)' : '';
}

function describeMessage(message: AgentMessage): string {
  if (message.role === 'toolResult') return `${message.toolCallId}: ${wordsOf(message)}`;
  if (message.role === 'user') {
    return `user${message.via === undefined ? '' : ` (${message.via})`}: ${wordsOf(message)}`;
  }
  const asked = message.content.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));
  return `model: ${[wordsOf(message), ...asked.map((id) => `[${id}]`)].filter((each) => each !== '').join(' ')}`;
}

/** The transcript on disk, one line each. */
export async function transcriptOf(session: TestRuntime['session']): Promise<readonly string[]> {
  return (await readEntries(session)).map(describeEntry);
}

function describeEntry(entry: SessionEntry): string {
  switch (entry.type) {
    case 'message':
      return describeMessage(entry.message);
    case 'turn':
      return `turn ${entry.state}`;
    case 'end':
      return `end: ${entry.reason}`;
    case 'name':
      return `name: ${entry.name}`;
    case 'compaction':
    case 'settings':
      return entry.type;
  }
}

/** What the host noted of a run: models, judgements, questions, messages. */
export async function traceOf({ runtime }: TestRuntime, runId: string): Promise<readonly string[]> {
  const trace = await runtime.turns.traces.get(runId);
  const lines = trace?.lines.flatMap((line) => {
    switch (line.kind) {
      case 'message':
      case 'model':
      case 'compaction':
        return [`${line.kind} ${line.outcome}`];
      case 'policy':
        return [`${line.toolCallId} ${line.outcome}`];
      case 'approval':
        return [`${line.toolCallId} ${line.isAllowed ? 'approved' : 'denied'} by ${line.by}`];
      case 'fallback':
        return [`fallback to ${line.provider}/${line.model}`];
      case 'retry':
      case 'tool':
      case 'point':
      case 'hook':
        return [];
    }
  });
  return [...(lines ?? []), trace?.status ?? 'no trace'];
}
