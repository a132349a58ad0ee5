import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import type { TokenUsage } from '../../contracts/message.ts';
import type { Model, ModelEvent, ModelRequest } from '../../contracts/model.ts';
import type { Clock } from '../../host/ports.ts';
import { checkExpectations } from './checkExpectations.ts';
import { exhaustedScript, mismatchedScript } from './replayErrors.ts';
import { parseReplayScript } from './parseReplayScript.ts';
import type { ReplayTurn } from './replayTurn.ts';

export interface ReplayModelOptions {
  /** The text of the file; `replayTurn.ts` describes it. */
  readonly script: string;
  /** The file as errors show it. */
  readonly name: string;
  /** Waits the `delayMs` of a turn. */
  readonly clock: Clock;
}

/**
 * A model that answers from a script: the first request gets its first turn, and so on, whatever is asked. Fails loudly:
 * `replay_mismatch` where a request is not what the turn expects, `replay_exhausted` after the last turn.
 *
 * @throws PincerError `replay_invalid` for a script that can not be played.
 */
export function createReplayModel({ script, name, clock }: ReplayModelOptions): Model {
  const turns = parseReplayScript(script, name);
  let played = 0;
  return {
    info: {
      provider: 'replay',
      model: name,
      name: `Replay of ${name}`,
      detail: 'Plays a script; no AI',
      contextWindow: 128_000,
      maxOutputTokens: 16_000,
      toolCalling: true,
    },
    async *stream(request) {
      throwIfAborted(request.signal);
      const turn = turns[played];
      if (turn === undefined) throw exhaustedScript(name, turns.length);
      played += 1;
      const problem = checkExpectations(turn, request);
      if (problem !== undefined) throw mismatchedScript(name, turn.line, problem);
      yield* play(turn, request, clock);
    },
  };
}

async function* play(turn: ReplayTurn, request: ModelRequest, clock: Clock): AsyncGenerator<ModelEvent> {
  const { error } = turn;
  for (const event of toEvents(turn)) {
    await pause(turn.delayMs ?? 0, request.signal, clock);
    if (event.type !== 'done' || error === undefined) yield event;
  }
  if (error === undefined) return;
  throw new PincerError(error.code, error.message, error.hint === undefined ? {} : { hint: error.hint });
}

function toEvents(turn: ReplayTurn): ModelEvent[] {
  const chunks = typeof turn.text === 'string' ? [turn.text] : (turn.text ?? []);
  const calls = turn.toolCalls ?? [];
  return [
    ...toThoughts(turn).flatMap(toThoughtEvents),
    ...chunks.map((text) => ({ type: 'text' as const, text })),
    ...calls.map((call, index) => ({
      type: 'toolCall' as const,
      id: call.id ?? `call_${turn.line}_${index + 1}`,
      name: call.name,
      arguments: call.arguments,
      ...(call.thoughtSignature !== undefined && { thoughtSignature: call.thoughtSignature }),
    })),
    {
      type: 'done',
      stopReason: turn.stopReason ?? (calls.length > 0 ? 'toolUse' : 'stop'),
      ...(turn.usage === undefined ? {} : { usage: toUsage(turn.usage) }),
    },
  ];
}

type Thought = Exclude<NonNullable<ReplayTurn['thinking']>, string>[number];

function toThoughts({ thinking = [] }: ReplayTurn): readonly Thought[] {
  return typeof thinking === 'string' ? [{ text: thinking }] : thinking;
}

function toThoughtEvents({ text, signature, redacted }: Thought): ModelEvent[] {
  return [
    ...(text === '' ? [] : [{ type: 'thinking' as const, text }]),
    {
      type: 'thinkingEnd',
      ...(signature !== undefined && { signature }),
      ...(redacted !== undefined && { redacted }),
    },
  ];
}

function toUsage({ input, output, cacheRead, cacheWrite }: NonNullable<ReplayTurn['usage']>): TokenUsage {
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

async function pause(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  throwIfAborted(signal);
  if (ms === 0) return;
  let cancelTimer = (): void => undefined;
  const waited = new Promise<void>((resolve) => {
    cancelTimer = clock.after(ms, resolve);
  });
  await raceAbort(waited, signal).finally(() => cancelTimer());
}
