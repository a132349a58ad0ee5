import type { AgentMessage, AssistantMessage, TokenUsage } from '../../contracts/message.ts';
import type { ModelCost, ModelRef } from '../../contracts/model.ts';
import type { CompactionEntry, SessionEntry } from '../../contracts/sessionEntry.ts';
import type { UsageSum } from '../../contracts/usage.ts';
import { estimateMessage, estimateTokens } from './estimateTokens.ts';
import { isBuiltIn } from '../../models/builtIn/builtInModelInfo.ts';

/** One model call. */
export interface UsedTokens {
  readonly usage: TokenUsage;
  readonly isEstimated: boolean;
  /** Undefined where nobody said what the model costs. */
  readonly cost: ModelCost | undefined;
}

/** No call yet. */
export const noUsage: UsageSum = {
  calls: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cost: 0,
  isCostPartial: false,
  isEstimated: false,
};

/** The sum with one call more. Pure. */
export function addUsage(sum: UsageSum, { usage, isEstimated, cost }: UsedTokens): UsageSum {
  return {
    calls: sum.calls + 1,
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cacheRead: sum.cacheRead + (usage.cacheRead ?? 0),
    cacheWrite: sum.cacheWrite + (usage.cacheWrite ?? 0),
    cost: sum.cost + (cost === undefined ? 0 : priceOf(usage, cost)),
    isCostPartial: sum.isCostPartial || cost === undefined,
    isEstimated: sum.isEstimated || isEstimated,
  };
}

/**
 * US dollars of one call. `input` holds what was read from and written to the server's cache; those have prices of their own,
 * and where none is known count as any input. Pure.
 */
export function priceOf(usage: TokenUsage, cost: ModelCost): number {
  const { input, output, cacheRead = 0, cacheWrite = 0 } = usage;
  const fresh = Math.max(0, input - cacheRead - cacheWrite);
  const millionths =
    fresh * cost.input +
    cacheRead * (cost.cacheRead ?? cost.input) +
    cacheWrite * (cost.cacheWrite ?? cost.input) +
    output * cost.output;
  return millionths / 1_000_000;
}

/**
 * What the model calls of a transcript have used, summaries included. Where a server did not count, the conversation up to the
 * answer is estimated; the system prompt and tools of that time are not in the transcript and are missing then. The built-in
 * model uses nothing. Pure.
 */
export function sumUsage(
  entries: readonly SessionEntry[],
  costOf: (model: ModelRef) => ModelCost | undefined,
  sizeOf: (message: AgentMessage) => number = estimateMessage,
): UsageSum {
  // Most servers count: nothing has to be estimated then, however long the transcript.
  const size = entries.some(isUncounted) ? sizeOf : () => 0;
  let sum = noUsage;
  let context = 0;
  for (const entry of entries) {
    if (entry.type === 'compaction') {
      if (!isBuiltIn(entry.model)) sum = addUsage(sum, usedForSummary(entry, costOf));
      context = entry.tokensAfter;
    }
    if (entry.type !== 'message') continue;
    const { message } = entry;
    const tokens = size(message);
    if (message.role === 'assistant' && !isBuiltIn(message)) {
      sum = addUsage(sum, usedBy(message, context, tokens, costOf));
    }
    context += tokens;
  }
  return sum;
}

/** What the call for a summary has used. Pure. */
export function usedForSummary(
  entry: CompactionEntry,
  costOf: (model: ModelRef) => ModelCost | undefined,
): UsedTokens {
  const estimated = { input: entry.tokensBefore, output: estimateTokens(entry.summary) };
  const { usage = estimated, model } = entry;
  return { usage, isEstimated: usage === estimated, cost: costOf(model) };
}

function isUncounted(entry: SessionEntry): boolean {
  return entry.type === 'message' && entry.message.role === 'assistant' && entry.message.usage === undefined;
}

function usedBy(
  message: AssistantMessage,
  input: number,
  output: number,
  costOf: (model: ModelRef) => ModelCost | undefined,
): UsedTokens {
  const { usage = { input, output } } = message;
  return { usage, isEstimated: message.usage === undefined, cost: costOf(message) };
}
