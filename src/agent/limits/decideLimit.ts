import type { TurnLimits } from '../../config/sections/agentSection.ts';
import { plural } from '../../base/text.ts';

/** What a turn has used so far. */
export interface TurnUse {
  /** Model answers. */
  readonly rounds: number;
  /** Tool calls that were carried out. */
  readonly toolCalls: number;
  /** Milliseconds, without the time that questions waited for the user. */
  readonly ms: number;
  /** Tokens of all model calls, as the servers counted them; estimated where one does not. */
  readonly tokens: number;
  /** US dollars of the calls whose price is known; an unknown price counts nothing. */
  readonly cost: number;
}

/** Why a turn may not go on, as its outcome says it. */
export interface LimitReached {
  readonly code: 'round_limit' | 'call_limit' | 'time_limit' | 'token_limit' | 'cost_limit' | 'loop_detected';
  readonly message: string;
  readonly hint: string;
}

/**
 * The limit that a turn has reached, or undefined where it may go on to the next model call or tool call. Rounds stop model
 * calls alone, and calls stop tool calls alone: what an answer asked for is still done. Pure.
 */
export function decideLimit(
  limits: TurnLimits,
  use: TurnUse,
  next: 'model' | 'tool',
): LimitReached | undefined {
  const { maxRounds, maxToolCalls, maxMs, maxTokens, maxCost } = limits;
  if (use.ms >= maxMs) return timeLimit(maxMs);
  if (maxTokens !== undefined && use.tokens >= maxTokens) {
    const message = `Stopped after ${String(use.tokens)} tokens; the limit of one turn is ${String(maxTokens)}.`;
    return { code: 'token_limit', message, hint: hintOf('agent.limits.maxTokens') };
  }
  if (maxCost !== undefined && use.cost >= maxCost) {
    const message = `Stopped at ${dollars(use.cost)}; the limit of one turn is ${dollars(maxCost)}.`;
    return { code: 'cost_limit', message, hint: hintOf('agent.limits.maxCost') };
  }
  if (next === 'model' && use.rounds >= maxRounds) {
    const message = `Stopped after ${plural(maxRounds, 'model answer')} without a final one.`;
    return { code: 'round_limit', message, hint: hintOf('agent.maxRounds') };
  }
  if (next === 'tool' && use.toolCalls >= maxToolCalls) {
    const message = `Stopped after ${plural(maxToolCalls, 'tool call')}.`;
    return { code: 'call_limit', message, hint: hintOf('agent.limits.maxToolCalls') };
  }
  return undefined;
}

/** The time of a turn is over, also in the middle of a call. */
export function timeLimit(maxMs: number): LimitReached {
  const minutes = Math.round((maxMs / 60_000) * 100) / 100;
  const message = `Stopped after ${plural(minutes, 'minute')}; questions to you were not counted.`;
  return { code: 'time_limit', message, hint: hintOf('agent.limits.maxMinutes') };
}

/** The model repeats itself and did not listen to what it was told of it. */
export function loopDetected(toolName: string): LimitReached {
  return {
    code: 'loop_detected',
    message: `Stopped: the model kept repeating the same call of ${toolName}, with the same result each time.`,
    hint: 'Tell the model what to do differently, then let it go on.',
  };
}

function hintOf(setting: string): string {
  return `Send "continue" to go on, or raise ${setting} in your config.`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}
