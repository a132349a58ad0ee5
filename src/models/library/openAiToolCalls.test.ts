import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLibraryModel, type LibraryModelWorld } from '../../../test/builders/openLibraryModel.ts';
import type { ModelEvent } from '../../contracts/model.ts';

let world: LibraryModelWorld;
beforeEach(async () => {
  world = await openLibraryModel('openai-compatible');
});
afterEach(() => world.dispose());

const delta = (value: unknown): unknown => ({ choices: [{ delta: value, finish_reason: null }] });
const calls = (...fragments: unknown[]): unknown => delta({ tool_calls: fragments });
const read = (path: string, id: unknown): unknown => ({
  type: 'toolCall',
  id,
  name: 'read',
  arguments: { path },
});
const anyId = expect.stringMatching(/./u) as unknown;

async function answer(...chunks: readonly unknown[]): Promise<ModelEvent[]> {
  world.server.script({
    steps: [...chunks.map((chunk) => ({ chunk })), { finish: 'tool_calls' }, { mark: true }],
  });
  return (await world.ask()).filter((event) => event.type === 'toolCall');
}

describe('tool calls of OpenAI-compatible servers', () => {
  it('come in fragments', async () => {
    const chunks = [
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '' } }),
      calls({ index: 0, function: { arguments: '{"pa' } }),
      calls({ index: 0, function: { arguments: 'th": "x"}' } }),
    ];
    expect(await answer(...chunks)).toEqual([read('x', 'a')]);
  });

  it('are interleaved, and told apart by their indexes', async () => {
    const chunks = [
      calls({ index: 1, id: 'b', function: { name: 'read', arguments: '{"path"' } }),
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path"' } }),
      calls({ index: 1, function: { arguments: ': "y"}' } }, { index: 0, function: { arguments: ': "x"}' } }),
    ];
    expect(await answer(...chunks)).toEqual([read('x', 'a'), read('y', 'b')]);
  });

  it('repeat their name with every fragment', async () => {
    const chunks = [
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '' } }),
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":' } }),
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '"x"}' } }),
    ];
    expect(await answer(...chunks)).toEqual([read('x', 'a')]);
  });

  it('have no id, or a blank one', async () => {
    const chunks = [
      calls({ index: 0, function: { name: 'read', arguments: '{"path":"x"}' } }),
      calls({ index: 1, id: '', function: { name: 'read', arguments: '{"path":"y"}' } }),
    ];
    expect(await answer(...chunks)).toEqual([read('x', anyId), read('y', anyId)]);
  });

  it('all say index 0', async () => {
    const chunks = [
      calls({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"x"}' } }),
      calls({ index: 0, id: 'b', function: { name: 'read', arguments: '{"path":"y"}' } }),
      calls({ index: 0, function: { name: 'read', arguments: '{"path":"z"}' } }),
    ];
    expect(await answer(...chunks)).toEqual([read('x', 'a'), read('y', 'b'), read('z', anyId)]);
  });

  it('have no index', async () => {
    const chunks = [
      calls(
        { id: 'a', function: { name: 'read', arguments: '{"path":"x"}' } },
        { id: 'b', function: { name: 'read', arguments: '{"pa' } },
      ),
      calls({ function: { arguments: 'th":"y"}' } }),
    ];
    expect(await answer(...chunks)).toEqual([read('x', 'a'), read('y', 'b')]);
  });

  it('have a new id with every fragment', async () => {
    const chunks = [
      calls({ index: 0, id: 'r1', function: { name: 'read', arguments: '' } }),
      calls({ index: 0, id: 'r2', function: { arguments: '{"path":' } }),
      calls({ index: 0, id: 'r3', function: { arguments: '"x"}' } }),
    ];
    expect(await answer(...chunks)).toEqual([read('x', 'r1')]);
  });

  it('have arguments that are encoded twice, null or missing', async () => {
    const chunks = [JSON.stringify('{"path":"x"}'), null, undefined].map((value, index) =>
      calls({ index, id: `c${index}`, function: { name: 'read', arguments: value } }),
    );
    expect(await answer(...chunks)).toMatchObject([
      { arguments: { path: 'x' } },
      { arguments: {} },
      { arguments: {} },
    ]);
  });

  it.each([
    ['[1]', 'they are JSON, but no object'],
    ['"text"', 'they are JSON, but no object'],
    ['12', 'they are JSON, but no object'],
    ['{"path": }', 'Unexpected token'],
    ['{"path": "a', 'Unterminated string'],
  ])('with the arguments %s have none, and say why', async (text, why) => {
    const call = calls({ index: 0, id: 'a', function: { name: 'read', arguments: text } });
    expect(await answer(call)).toMatchObject([
      { name: 'read', arguments: {}, problem: expect.stringContaining(why) as unknown },
    ]);
  });

  it('can not be without a name', async () => {
    const call = calls({ index: 0, id: 'a', function: { arguments: '{}' } });
    await expect(answer(call)).rejects.toMatchObject({ code: 'model_malformed' });
  });
});
