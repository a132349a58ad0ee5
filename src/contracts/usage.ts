import type { TokenUsage } from './message.ts';

/** What model calls have used. */
export interface UsageSum extends Required<TokenUsage> {
  /** Model calls. */
  readonly calls: number;
  /** US dollars of the calls whose price is known. */
  readonly cost: number;
  /** True where a call's price is unknown: `cost` is too low then. */
  readonly isCostPartial: boolean;
  /** True where a server did not count its tokens and we estimated them. */
  readonly isEstimated: boolean;
}

/** How full the model's window is. */
export interface ContextUse {
  /** Tokens of the last request and its answer, as counted by the server or estimated. */
  readonly tokens: number;
  /** Tokens that the model reads at once. */
  readonly window: number;
  /** Tokens at which the conversation is compacted. */
  readonly compactAt: number;
  readonly isEstimated: boolean;
}

/** The numbers of one session. */
export interface SessionUse {
  readonly context: ContextUse;
  /** The last turn; undefined before the first. */
  readonly turn: UsageSum | undefined;
  readonly session: UsageSum;
}
