// Threat: a turn that may use little has others do its work, each with limits of its own. So what they all use together counts.
import type { TurnLimits } from '../config/sections/agentSection.ts';

/** Tokens, and US dollars of calls whose price is known. */
export interface Spent {
  readonly tokens: number;
  readonly cost: number;
}

/** What a turn may use together with all that it starts. */
export interface SharedBudget {
  readonly limits: Pick<TurnLimits, 'maxTokens' | 'maxCost'>;
  used(): Spent;
  /** A model answered in one of these turns. */
  note(use: Spent): void;
}

export function createSharedBudget(limits: SharedBudget['limits']): SharedBudget {
  let used: Spent = { tokens: 0, cost: 0 };
  return {
    limits,
    used: () => used,
    note({ tokens, cost }) {
      used = { tokens: used.tokens + tokens, cost: used.cost + cost };
    },
  };
}
