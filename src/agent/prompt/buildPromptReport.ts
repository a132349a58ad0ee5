// Threat: a report outlives its turn, so it must not hold what is to be forgotten. It is kept only for turns whose text passed
// every gate, in memory alone, and goes with its session.
import { setBounded } from '../../base/setBounded.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { PromptReport, PromptOwner, PromptPart } from '../../contracts/promptReport.ts';
import type { ToolDefinition, ToolOwner } from '../../contracts/tool.ts';
import { estimateMessages, estimateTokens, estimateTool } from '../context/estimateTokens.ts';

/** The last prompt of each session. */
export interface PromptReports {
  /** For a turn that no gate stopped. */
  keep(report: PromptReport): void;
  /** The server has counted the whole request; nothing where the run's report is no longer the last. */
  noteCounted(runId: string, tokens: number): void;
  last(sessionId: string): PromptReport | undefined;
  forget(sessionId: string): void;
}

const maxSessions = 50;

export function createPromptReports(): PromptReports {
  const reports = new Map<string, PromptReport>();
  const keep = (report: PromptReport): void => {
    setBounded(reports, report.sessionId, report, maxSessions);
  };
  return {
    keep,
    noteCounted(runId, tokens) {
      for (const report of reports.values())
        if (report.runId === runId && report.countedTokens === undefined)
          reports.set(report.sessionId, { ...report, countedTokens: tokens });
    },
    last: (sessionId) => reports.get(sessionId),
    forget: (sessionId) => void reports.delete(sessionId),
  };
}

interface PromptReportInput {
  readonly runId: string;
  readonly sessionId: string;
  readonly model: ModelInfo;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly parts: readonly PromptPart[];
  readonly tools: readonly (ToolDefinition & { readonly owner: ToolOwner; readonly savesTokens?: number })[];
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
      ...(tool.savesTokens === undefined ? {} : { savesTokens: tool.savesTokens }),
    })),
    messages: { count: messages.length, tokens: estimateMessages(messages) },
    window: model.contextWindow,
  };
}

function ownerOf(owner: ToolOwner): PromptOwner {
  return owner.kind === 'core' ? { kind: 'pincer' } : owner;
}
