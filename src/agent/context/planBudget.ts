import type { CompactionConfig } from '../../config/sections/agentSection.ts';
import type { ModelInfo } from '../../contracts/model.ts';

/** How the window of a model is divided. All in tokens. */
export interface ContextBudget {
  readonly window: number;
  /** A request from here on is compacted. */
  readonly compactAt: number;
  /** Most that a summary may have. */
  readonly summaryTokens: number;
  /** Latest messages that stay word for word, where there are that many. */
  readonly keepTokens: number;
  /** Most that the messages which stay may have: more would call for the next compaction at once. */
  readonly maxKeepTokens: number;
}

/**
 * Divides the window: `compactAt` is the part that the config names, and leaves at least a quarter (or the longest answer, if
 * that is less) free. `fixed` is what system prompt and tools take; in the small windows of local models little remains
 * beside them, and less of the conversation stays. Pure.
 */
export function planBudget(
  info: Pick<ModelInfo, 'contextWindow' | 'maxOutputTokens'>,
  config: Pick<CompactionConfig, 'at' | 'keepTokens'>,
  fixed: number,
): ContextBudget {
  const window = info.contextWindow;
  const answer = Math.min(info.maxOutputTokens, Math.floor(window / 4));
  const compactAt = Math.floor(Math.min(window * config.at, window - answer));
  const summaryTokens = Math.max(200, Math.min(2_000, Math.floor(window / 10)));
  const free = Math.max(0, compactAt - fixed - summaryTokens);
  return {
    window,
    compactAt,
    summaryTokens,
    keepTokens: Math.min(config.keepTokens, Math.floor(free / 2)),
    maxKeepTokens: Math.floor(free * 0.8),
  };
}

/** The same window, but at most a part (0 to 1) of a conversation of so many tokens stays. Pure. */
export function keepPart(budget: ContextBudget, tokens: number, part: number): ContextBudget {
  const most = Math.max(1, Math.floor(tokens * part));
  return {
    ...budget,
    keepTokens: Math.min(budget.keepTokens, most),
    maxKeepTokens: Math.min(budget.maxKeepTokens, most),
  };
}
