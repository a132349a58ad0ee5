import type { TurnLimits } from '../../config/sections/agentSection.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { TokenUsage, ToolCallPart, ToolResultMessage } from '../../contracts/message.ts';
import type { ModelCost } from '../../contracts/model.ts';
import type { Clock } from '../../host/ports.ts';
import { priceOf } from '../context/sumUsage.ts';
import { createRepeatGuard, type RepeatVerdict } from './createRepeatGuard.ts';
import { createTurnTime } from './createTurnTime.ts';
import { decideLimit, loopDetected, timeLimit, type LimitReached } from './decideLimit.ts';

/** Counts what a turn uses and says when it has to stop. */
export interface TurnMeter {
  /** Aborts when the time of the turn is over, questions to the user not counted. */
  readonly signal: AbortSignal;
  /** Where `signal` has aborted. */
  timeLimit(): LimitReached;
  /** The limit that forbids the next model call, or the next call of a tool. */
  findLimit(next: 'model' | ToolCallPart): LimitReached | undefined;
  /** After `findLimit`: true where the call is not to run, since it repeats itself and the model has to hear of that first. */
  isRepeated(call: ToolCallPart): boolean;
  /** A model answered; an unknown price counts nothing. */
  noteAnswer(usage: TokenUsage, price: ModelCost | undefined): void;
  noteCall(call: ToolCallPart, result: ToolResultMessage): void;
  /** Every event of the turn: time stands while a question waits, of the turn itself or of one that it started. */
  noteEvent(event: AgentEvent): void;
  /** A queued message begins: the limits hold for it anew. */
  restart(): void;
  dispose(): void;
}

export function createTurnMeter(clock: Clock, limits: TurnLimits): TurnMeter {
  const time = createTurnTime(clock, limits.maxMs);
  const none = { rounds: 0, toolCalls: 0, tokens: 0, cost: 0 };
  let used = none;
  let guard = createRepeatGuard();
  /** Ids of the questions that wait. */
  const open = new Set<string>();
  let judged: { readonly call: ToolCallPart; readonly verdict: RepeatVerdict } | undefined;
  return {
    signal: time.signal,
    timeLimit: () => timeLimit(limits.maxMs),
    findLimit(next) {
      const use = { ...used, ms: time.used() };
      if (next === 'model') return decideLimit(limits, use, 'model');
      const limit = decideLimit(limits, use, 'tool');
      if (limit !== undefined) return limit;
      judged = { call: next, verdict: guard.judge(next) };
      return judged.verdict === 'stop' ? loopDetected(next.name) : undefined;
    },
    isRepeated: (call) => judged?.call === call && judged.verdict === 'explain',
    noteAnswer(usage, price) {
      used = {
        ...used,
        rounds: used.rounds + 1,
        tokens: used.tokens + usage.input + usage.output,
        cost: used.cost + (price === undefined ? 0 : priceOf(usage, price)),
      };
    },
    noteCall(call, result) {
      used = { ...used, toolCalls: used.toolCalls + 1 };
      guard.note(call, result);
    },
    noteEvent(event) {
      if (event.type === 'approval_requested') {
        open.add(event.request.id);
        time.pause();
      }
      if (event.type !== 'approval_resolved') return;
      open.delete(event.request.id);
      if (open.size === 0) time.resume();
    },
    restart() {
      used = none;
      guard = createRepeatGuard();
      time.restart();
    },
    dispose: () => time.dispose(),
  };
}
