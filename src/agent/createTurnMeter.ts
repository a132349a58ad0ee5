import type { Disposable } from '../base/disposable.ts';
import { stableStringify } from '../base/json.ts';
import { plural } from '../base/text.ts';
import type { TurnLimits } from '../config/sections/agentSection.ts';
import type { AgentEvent } from '../contracts/agentEvent.ts';
import type { TokenUsage, ToolCallPart, ToolResultMessage } from '../contracts/message.ts';
import type { ModelCost } from '../contracts/model.ts';
import type { Clock } from '../host/ports.ts';
import { priceOf } from './context/sumUsage.ts';
import type { SharedBudget, Spent } from './sharedBudget.ts';

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

/** `budget`: what the turn may use together with others; a message that waited does not renew it. */
export function createTurnMeter(clock: Clock, limits: TurnLimits, budget?: SharedBudget): TurnMeter {
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
      const limit =
        decideLimit(limits, use, next === 'model' ? 'model' : 'tool') ??
        (budget && decideSpending(budget.limits, budget.used(), sharedName));
      if (next === 'model' || limit !== undefined) return limit;
      judged = { call: next, verdict: guard.judge(next) };
      return judged.verdict === 'stop' ? loopDetected(next.name) : undefined;
    },
    isRepeated: (call) => judged?.call === call && judged.verdict === 'explain',
    noteAnswer(usage, price) {
      const tokens = usage.input + usage.output;
      const cost = price === undefined ? 0 : priceOf(usage, price);
      used = {
        ...used,
        rounds: used.rounds + 1,
        tokens: used.tokens + tokens,
        cost: used.cost + cost,
      };
      budget?.note({ tokens, cost });
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
  const { maxRounds, maxToolCalls, maxMs } = limits;
  if (use.ms >= maxMs) return timeLimit(maxMs);
  const spending = decideSpending(limits, use, 'one turn');
  if (spending !== undefined) return spending;
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

/** What a person reads of a turn that others work for. */
const sharedName = 'one turn and all that it starts';

function decideSpending(
  { maxTokens, maxCost }: Pick<TurnLimits, 'maxTokens' | 'maxCost'>,
  { tokens, cost }: Spent,
  whose: string,
): LimitReached | undefined {
  if (maxTokens !== undefined && tokens >= maxTokens) {
    const message = `Stopped after ${String(tokens)} tokens; the limit of ${whose} is ${String(maxTokens)}.`;
    return { code: 'token_limit', message, hint: hintOf('agent.limits.maxTokens') };
  }
  if (maxCost !== undefined && cost >= maxCost) {
    const message = `Stopped at ${dollars(cost)}; the limit of ${whose} is ${dollars(maxCost)}.`;
    return { code: 'cost_limit', message, hint: hintOf('agent.limits.maxCost') };
  }
  return undefined;
}

/** The time of a turn is over, also in the middle of a call. */
function timeLimit(maxMs: number): LimitReached {
  const minutes = Math.round((maxMs / 60_000) * 100) / 100;
  const message = `Stopped after ${plural(minutes, 'minute')}; questions to you were not counted.`;
  return { code: 'time_limit', message, hint: hintOf('agent.limits.maxMinutes') };
}

/** The model repeats itself and did not listen to what it was told of it. */
function loopDetected(toolName: string): LimitReached {
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

/** The time of a turn, without the time that questions wait for the user. */
interface TurnTime extends Disposable {
  /** Aborts when the time is over, also in the middle of a call. */
  readonly signal: AbortSignal;
  /** Milliseconds. */
  used(): number;
  /** A question stands in front of the user. */
  pause(): void;
  resume(): void;
  /** The time begins anew. */
  restart(): void;
}

/** Starts at once; `maxMs` may be infinite. */
export function createTurnTime(clock: Clock, maxMs: number): TurnTime {
  const abort = new AbortController();
  let spent = 0;
  let runningSince: number | undefined = clock.monotonic();
  let cancelTimer = (): void => undefined;
  let isOver = false;
  const used = (): number => spent + (runningSince === undefined ? 0 : clock.monotonic() - runningSince);
  const watch = (): void => {
    if (isOver || !Number.isFinite(maxMs)) return;
    cancelTimer = clock.after(Math.max(0, maxMs - used()), () => {
      if (used() >= maxMs) abort.abort();
      else watch();
    });
  };
  const stand = (): void => {
    cancelTimer();
    spent = used();
    runningSince = undefined;
  };
  const run = (): void => {
    if (runningSince !== undefined) return;
    runningSince = clock.monotonic();
    watch();
  };
  watch();
  return {
    signal: abort.signal,
    used,
    pause: stand,
    resume: run,
    restart() {
      stand();
      spent = 0;
      run();
    },
    dispose() {
      // A question of what the turn has started may be resolved later.
      isOver = true;
      cancelTimer();
    },
  };
}

/** What to do with a call: `explain` does not run it and tells the model why, `stop` ends the turn. */
export type RepeatVerdict = 'run' | 'explain' | 'stop';

/** A call that was made, and what came of it; equal texts are equal calls and results. */
interface PastCall {
  readonly call: string;
  readonly result: string;
}

/** Finds a model that goes in circles: the same call with the same result, or the same few calls in turn. */
interface RepeatGuard {
  judge(call: ToolCallPart): RepeatVerdict;
  /** A call was carried out. */
  note(call: ToolCallPart, result: ToolResultMessage): void;
}

/** A call that comes for this time in a row, unchanged and with unchanged results, is a repetition. */
const maxTimes = 3;
/** Calls of the longest circle that is looked for: one call again and again, two in turn, three in turn. */
const maxPeriod = 3;

/** One for each turn. The first repetition of a circle is explained to the model, the next one stops the turn. */
export function createRepeatGuard(): RepeatGuard {
  const past: PastCall[] = [];
  const explained = new Set<string>();
  const add = (each: PastCall): void => {
    past.push(each);
    if (past.length > maxPeriod * (maxTimes - 1)) past.shift();
  };
  return {
    judge(call) {
      const circle = findCircle(past, callText(call));
      if (circle === undefined) return 'run';
      const name = circle
        .map((each) => each.call)
        .sort()
        .join('\n');
      if (explained.has(name)) return 'stop';
      explained.add(name);
      // It counts as if it had been carried out with the same result, so that the circle is still seen at its next call.
      const [same] = circle;
      if (same !== undefined) add(same);
      return 'explain';
    },
    note: (call, result) => add({ call: callText(call), result: resultText(result) }),
  };
}

/**
 * The circle that `next` would go round once more, beginning with what `next` repeats; undefined where there is none. A call
 * whose result has changed, such as that of a command that is being watched, is no repetition. Pure.
 */
export function findCircle(past: readonly PastCall[], next: string): readonly PastCall[] | undefined {
  for (let period = 1; period <= maxPeriod; period += 1) {
    const times = maxTimes - 1;
    const tail = past.slice(-period * times);
    if (tail.length < period * times || tail[0]?.call !== next) continue;
    const circle = tail.slice(0, period);
    const isRound = tail.every((each, index) => isSame(each, circle[index % period]));
    if (isRound) return circle;
  }
  return undefined;
}

function isSame(one: PastCall, other: PastCall | undefined): boolean {
  return one.call === other?.call && one.result === other.result;
}

function callText({ name, arguments: params }: ToolCallPart): string {
  return stableStringify([name, params]);
}

/** Only what the model reads: times and other details differ with every call. */
function resultText({ content, isError }: ToolResultMessage): string {
  return stableStringify([isError, content]);
}
