import { describe, expect, test, vi } from 'vitest';
import type { AfterToolResultPayload, DextoPlugin } from '../../../../src/dexto/dextoTypes.ts';
import { openExtensionPoints, readyPlugin } from '../../../builders/openExtensionPoints.ts';
import { pluginTool, usePipelines, type TestPipeline } from '../../tools/createTestPipeline.ts';
import { textOf } from '../../tools/createTestWorkspace.ts';

// afterToolResult: after a call that ran, before OpenClaw plugins see its result.

const setUp = usePipelines();

type Method = NonNullable<DextoPlugin['afterToolResult']>;

/** `shout` gives what `run` returns; `write` asks. */
async function open(run: () => unknown, ...methods: readonly Method[]): Promise<TestPipeline> {
  const plugins = methods.map((afterToolResult, at) => readyPlugin(`dexto${at + 1}`, { afterToolResult }));
  return await setUp({ plugins: [pluginTool(run)], points: openExtensionPoints(plugins).source });
}
const put =
  (result: unknown): Method =>
  () => ({ ok: true, modify: { result } });
const secret = (): unknown => ({ content: 'key w2x4', details: { key: 'w2x4' } });
const fail = (): never => {
  throw new Error('out of tea');
};

describe('afterToolResult', () => {
  test('gets what the tool gave, once, with the ids of the call', async () => {
    const method = vi.fn<Method>(() => ({ ok: true }));
    const pipeline = await open(secret, method);
    const result = await pipeline.call('shout', {});
    expect(method.mock.calls.map(([payload]) => payload)).toEqual([
      {
        toolName: 'shout',
        result: { content: [{ type: 'text', text: 'key w2x4' }], details: { key: 'w2x4' } },
        success: true,
        sessionId: 's1',
        callId: 'call-1',
      },
    ]);
    expect(result).toMatchObject({ content: [{ text: 'key w2x4' }], details: { key: 'w2x4' } });
  });

  test.each([
    ['throws', fail, 'out of tea'],
    ['says that it failed', () => ({ content: 'no tea', isError: true }), 'no tea'],
    ['gives no result', () => 7, 'returned no content'],
  ])('gets the error of a tool that %s, and leaves it as it was', async (_how, run, error) => {
    const seen: AfterToolResultPayload[] = [];
    const pipeline = await open(run, (payload) => {
      seen.push(payload);
      return { ok: true };
    });
    const bare = await open(run);
    const result = await pipeline.call('shout', {});
    expect(seen.map(({ success }) => success)).toEqual([false]);
    expect((seen[0]?.result as { readonly error: string }).error).toContain(error);
    expect(result).toEqual(await bare.call('shout', {}));
  });

  test('can make a failure of a success: the model is told so', async () => {
    const pipeline = await open(secret, () => ({ ok: true, modify: { success: false } }));
    expect(await pipeline.call('shout', {})).toMatchObject({
      isError: true,
      content: [{ text: 'key w2x4' }],
    });
  });

  test('is not asked about a call that did not run', async () => {
    const method = vi.fn<Method>(() => ({ ok: true }));
    const pipeline = await open(secret, method);
    await pipeline.call('shout', { text: 3 });
    await pipeline.call('write', { path: 'a.md', content: 'x' }, { answer: 'deny' });
    await pipeline.call('nothing', {});
    pipeline.on('before_tool_call', 'guard', () => ({ block: true, blockReason: 'no' }));
    await pipeline.call('shout', {});
    expect(method).not.toHaveBeenCalled();
  });

  test.each([
    ['a text', 'key ****', { content: [{ text: 'key ****' }] }],
    [
      'content as text',
      { content: 'key ****', details: { n: 1 } },
      { content: [{ text: 'key ****' }], details: { n: 1 } },
    ],
    [
      'parts',
      {
        content: [
          { type: 'text', text: 'one' },
          { type: 'image', data: 'AA', mimeType: 'image/png' },
        ],
      },
      { content: [{ text: 'one' }, { data: 'AA' }] },
    ],
    ['no parts', { content: [] }, { content: [{ text: 'Done, without output.' }] }],
    ['other JSON', { days: [1, 2] }, { content: [{ text: '{"days":[1,2]}' }] }],
    ['content of another kind', { content: [{ days: 2 }] }, { content: [{ text: '[{"days":2}]' }] }],
    ['null', null, { content: [{ text: 'null' }] }],
    [
      'an error',
      { error: 'kept back' },
      { content: [{ text: 'kept back' }], details: { status: 'failed' }, isError: true },
    ],
    [
      'an error of another kind',
      { error: { code: 7 } },
      { content: [{ text: '{"code":7}' }], isError: true },
    ],
    [
      'an error with content',
      { content: 'bad', isError: true },
      { content: [{ text: 'bad' }], isError: true },
    ],
  ])('may make %s of it', async (_what, made, expected) => {
    const pipeline = await open(secret, put(made));
    const result = await pipeline.call('shout', {});
    expect(result).toMatchObject({ isError: false, ...expected });
    expect(JSON.stringify(result)).not.toContain('w2x4');
    expect(JSON.stringify(pipeline.events)).not.toContain('w2x4');
  });

  test.each([
    ['a text', 'all is well'],
    ['content', { content: 'all is well' }],
    ['an error', { error: 'all is well' }],
  ])('may put %s in place of a failure, which stays one', async (_what, made) => {
    const pipeline = await open(fail, () => ({ ok: true, modify: { result: made, success: true } }));
    const result = await pipeline.call('shout', {});
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('all is well');
  });

  test('comes before tool_result_persist, and observers see what it left', async () => {
    const order: string[] = [];
    const pipeline = await open(secret, ({ result }) => {
      order.push(`afterToolResult ${JSON.stringify(result)}`);
      return { ok: true, modify: { result: 'key ****' } };
    });
    pipeline.on('tool_result_persist', 'persist', ({ message }) => {
      order.push(`tool_result_persist ${textOf(message as never)}`);
      return undefined;
    });
    pipeline.on('after_tool_call', 'observer', ({ result }) => {
      order.push(`after_tool_call ${JSON.stringify(result)}`);
    });
    await pipeline.call('shout', {});
    expect(order).toEqual([
      'afterToolResult {"content":[{"type":"text","text":"key w2x4"}],"details":{"key":"w2x4"}}',
      'tool_result_persist key ****',
      'after_tool_call {"content":[{"type":"text","text":"key ****"}]}',
    ]);
  });

  test('a block keeps the result from everybody, and says that the tool did run', async () => {
    const after = vi.fn<Method>(() => ({ ok: true }));
    const pipeline = await open(secret, () => ({ ok: false, cancel: true, message: 'holds a key' }), after);
    const result = await pipeline.call('shout', {});
    expect(result).toMatchObject({
      isError: true,
      details: { status: 'withheld', pluginId: 'dexto1', reason: 'holds a key' },
    });
    expect(textOf(result)).toContain('Plugin "dexto1" withheld the result: holds a key');
    expect(textOf(result)).toContain('The tool did run');
    expect(JSON.stringify([result, pipeline.events, pipeline.steps])).not.toContain('w2x4');
    expect(after).not.toHaveBeenCalled();
  });

  test('one that fails while blocking withholds the result, another one does not', async () => {
    const throwing: Method = () => Promise.reject(new Error('boom'));
    const blocking = await open(secret, throwing);
    expect(await blocking.call('shout', {})).toMatchObject({ details: { status: 'withheld' } });
    const plugin = readyPlugin('audit', { afterToolResult: throwing }, { blocking: false });
    const loose = await setUp({
      plugins: [pluginTool(secret)],
      points: openExtensionPoints([plugin]).source,
    });
    expect(textOf(await loose.call('shout', {}))).toBe('key w2x4');
  });

  test('a cancel meanwhile cancels the call, and observers hear of it', async () => {
    const controller = new AbortController();
    const observed = vi.fn();
    const pipeline = await open(secret, () => {
      controller.abort();
      return new Promise(() => undefined);
    });
    pipeline.on('after_tool_call', 'observer', ({ error }) => observed(error) as undefined);
    await expect(pipeline.call('shout', {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(observed.mock.calls).toEqual([['cancelled']]);
  });

  test('10 MB pass through and are cut once, at the end', async () => {
    const large = 'x'.repeat(10_000_000);
    const lengths: number[] = [];
    const pipeline = await open(
      () => large,
      ({ result }) => {
        lengths.push(textOf(result as never).length);
        return { ok: true, modify: { result: `${large}y` } };
      },
    );
    const result = await pipeline.call('shout', {});
    expect(lengths).toEqual([10_000_000]);
    expect(textOf(result)).toContain('10000001 characters in all');
    expect(textOf(result).length).toBeLessThanOrEqual(16_000);
  });
});
