import { expect, it } from 'vitest';
import type { Model } from '../../../src/contracts/model.ts';
import { createReplayModel } from '../../../src/models/replay/createReplayModel.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

/** Asks for `notes.md` with arguments that can't be read, then as it should, then answers. */
function model(broken: { readonly arguments: object; readonly problem?: string }): Model {
  const script = [{ toolCalls: [{ name: 'read', arguments: { path: 'notes.md' } }] }, { text: 'Done.' }];
  const rest = createReplayModel({
    script: script.map((line) => JSON.stringify(line)).join('\n'),
    name: 'test.jsonl',
    clock: systemClock,
  });
  let isFirst = true;
  return {
    info: rest.info,
    async *stream(request) {
      if (!isFirst) {
        yield* rest.stream(request);
        return;
      }
      isFirst = false;
      yield { type: 'toolCall', id: 'first', name: 'read', ...broken } as never;
      yield { type: 'done', stopReason: 'toolUse' } as never;
    },
  };
}

const deep = (levels: number): object =>
  JSON.parse(`${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`) as object;

it.each([
  ['that are no JSON', { arguments: {}, problem: 'Unexpected token' }, 'Unexpected token'],
  ['50,000 levels deep', { arguments: deep(50_000) }, 'nested more than 64 levels'],
])(
  'a call with arguments %s is told to the model, which corrects it in the same turn',
  async (_, broken, why) => {
    await using test = await openTestRuntime({ files: { 'notes.md': 'The tide is high.' } });
    const { outcome, events } = await test.say('Read it.', [], { model: model(broken) });
    const results = events.flatMap((event) => (event.type === 'tool_ended' ? [event.result] : []));
    expect(outcome).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(results.map(({ isError }) => isError)).toEqual([true, false]);
    expect(JSON.stringify(results[0])).toContain(why);
    expect(JSON.stringify(results[0])).toContain('Write the whole call again');
  },
);

it('a model that writes nothing but calls that can not be read comes to an end', async () => {
  const always: Model = {
    info: model({ arguments: {} }).info,
    async *stream() {
      yield { type: 'toolCall', id: 'x', name: 'read', arguments: {}, problem: 'Unexpected end' } as never;
      yield { type: 'done', stopReason: 'toolUse' } as never;
    },
  };
  await using test = await openTestRuntime({ files: { 'notes.md': 'The tide is high.' } });
  const { outcome } = await test.say('Read it.', [], { model: always });
  expect(outcome).toMatchObject({ status: 'failed', code: 'loop_detected' });
});
