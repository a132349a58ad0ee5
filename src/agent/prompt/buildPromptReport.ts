import type { AgentMessage } from '../../contracts/message.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { PromptOwner, PromptPart, PromptReport } from '../../contracts/promptReport.ts';
import type { ToolDefinition, ToolOwner } from '../../contracts/tool.ts';
import { estimateMessages } from '../context/estimateMessages.ts';
import { estimateTokens } from '../context/estimateTokens.ts';
import { estimateTool } from '../context/estimateTools.ts';

export interface PromptReportInput {
  readonly runId: string;
  readonly sessionId: string;
  readonly model: ModelInfo;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly parts: readonly PromptPart[];
  readonly tools: readonly (ToolDefinition & { readonly owner: ToolOwner })[];
  /** The conversation as the model reads it, without the parts around the user's words. */
  readonly messages: readonly AgentMessage[];
}

/** What a model got in a request, with estimated tokens. Pure. */
export function buildPromptReport(input: PromptReportInput): PromptReport {
  const { runId, sessionId, model, at, parts, tools, messages } = input;
  return {
    runId,
    sessionId,
    model: { provider: model.provider, model: model.model },
    at,
    parts: parts.map((part) => ({ ...part, tokens: estimateTokens(part.text) })),
    tools: tools.map((tool) => ({
      name: tool.name,
      owner: ownerOf(tool.owner),
      tokens: estimateTool(tool),
    })),
    messages: { count: messages.length, tokens: estimateMessages(messages) },
    window: model.contextWindow,
  };
}

function ownerOf(owner: ToolOwner): PromptOwner {
  return owner.kind === 'core' ? { kind: 'pincer' } : owner;
}
