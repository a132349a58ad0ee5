import { raceAbort } from '../../../src/base/abort.ts';
import { PincerError } from '../../../src/base/errors.ts';
import type { Model, ModelInfo, ModelRequest } from '../../../src/contracts/model.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createReplayModel } from '../../../src/models/replay/createReplayModel.ts';
import type { ReplayLine } from '../../../src/models/replay/replayTurn.ts';

/** One answer, as a replay script writes it; `during` happens when everything but its end has arrived. */
export type ActingAnswer = ReplayLine & { readonly during?: (request: ModelRequest) => unknown };

/** A model that plays one answer a request, remembers what it was asked, and lets the test act meanwhile. */
export interface ActingModel extends Model {
  readonly asked: readonly ModelRequest[];
}

export function createActingModel(
  answers: readonly (ActingAnswer | ((request: ModelRequest) => ActingAnswer))[],
  info: Partial<ModelInfo> = {},
): ActingModel {
  const asked: ModelRequest[] = [];
  return {
    asked,
    info: {
      provider: 'replay',
      model: 'acting',
      name: 'Acting model',
      contextWindow: 128_000,
      maxOutputTokens: 16_000,
      toolCalling: true,
      ...info,
    },
    async *stream(request) {
      const answer = answers[asked.length];
      asked.push({ ...request, messages: [...request.messages] });
      if (answer === undefined) throw new PincerError('replay_exhausted', 'The script has no more answers.');
      const { during, ...line } = typeof answer === 'function' ? answer(request) : answer;
      const script = JSON.stringify(withIds(line, asked.length));
      for await (const event of createReplayModel({ script, name: 'acting', clock: systemClock }).stream(
        request,
      )) {
        if (event.type === 'done') await raceAbort(Promise.resolve(during?.(request)), request.signal);
        yield event;
      }
    },
  };
}

/** Never comes to its end: the turn has to be cancelled. */
export const neverEnds = (): Promise<never> => new Promise(() => undefined);

/** An answer that calls the tool `work` on each of these things. */
export function works(...things: readonly string[]): ReplayLine {
  return { toolCalls: things.map((on) => ({ id: on, name: 'work', arguments: { on } })) };
}

export function calls(name: string, args: Readonly<Record<string, unknown>>, id?: string): ReplayLine {
  return { toolCalls: [{ name, arguments: { ...args }, ...(id === undefined ? {} : { id }) }] };
}

/** Ids that no other answer has. */
function withIds(line: ReplayLine, request: number): ReplayLine {
  const { toolCalls } = line;
  if (toolCalls === undefined) return line;
  return {
    ...line,
    toolCalls: toolCalls.map((call, index) => ({ id: `c${String(request)}.${String(index + 1)}`, ...call })),
  };
}
