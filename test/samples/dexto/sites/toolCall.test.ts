import { describe, expect, test, vi } from 'vitest';
import type { Params } from '../../../../src/contracts/jsonTypes.ts';
import type { BeforeToolCallPayload, DextoPlugin } from '../../../../src/dexto/dextoTypes.ts';
import { openExtensionPoints, readyPlugin } from '../../../builders/openExtensionPoints.ts';
import { usePipelines, type TestPipeline } from '../../tools/createTestPipeline.ts';
import { textOf } from '../../tools/createTestWorkspace.ts';

// beforeToolCall: after `before_tool_call` of OpenClaw plugins, before the parameters are validated again.

const setUp = usePipelines();
const notes = { path: 'notes.md', content: 'hello\n' };

type Method = NonNullable<DextoPlugin['beforeToolCall']>;

async function open(...methods: readonly Method[]): Promise<TestPipeline> {
  const plugins = methods.map((beforeToolCall, at) => readyPlugin(`dexto${at + 1}`, { beforeToolCall }));
  return await setUp({ points: openExtensionPoints(plugins).source });
}
const rewrite =
  (args: unknown): Method =>
  () => ({ ok: true, modify: { args } });
const askFirst = (pipeline: TestPipeline, told: (resolution: unknown) => unknown = () => undefined): void =>
  pipeline.on('before_tool_call', 'asker', () => ({
    requireApproval: { title: 'Sure?', description: 'It matters.', onResolution: told },
  }));

describe('beforeToolCall', () => {
  test('comes after before_tool_call and sees the arguments it left, which are a copy', async () => {
    const seen: BeforeToolCallPayload[] = [];
    const pipeline = await open((payload, { sessionId }) => {
      seen.push(structuredClone(payload));
      (payload.args as { path: string }).path = '../escape.md';
      return { ok: sessionId === payload.sessionId };
    });
    pipeline.on('before_tool_call', 'mover', () => ({ params: { path: 'moved.md' } }));
    const params: Params = { ...notes };
    await pipeline.call('write', params, { answer: 'allow-once' });
    expect(seen).toEqual([
      { toolName: 'write', args: { ...notes, path: 'moved.md' }, sessionId: 's1', callId: 'call-1' },
    ]);
    expect(await pipeline.workspace.files()).toEqual(['proj/moved.md']);
    expect(params).toEqual(notes);
  });

  test('is not asked about a call that before_tool_call blocked, or whose parameters do not fit', async () => {
    const method = vi.fn<Method>(() => ({ ok: true }));
    const pipeline = await open(method);
    await pipeline.call('write', { path: 3 });
    pipeline.on('before_tool_call', 'guard', () => ({ block: true, blockReason: 'no' }));
    expect(textOf(await pipeline.call('write', notes))).toContain('Blocked by plugin "guard"');
    expect(method).not.toHaveBeenCalled();
  });

  test('its arguments are what is asked about, checked by host rules and run', async () => {
    const pipeline = await open(rewrite({ path: 'renamed.md', content: 'by dexto' }));
    await pipeline.call('write', notes, { answer: 'allow-once' });
    expect(pipeline.approvals.history()[0]?.request).toMatchObject({
      title: 'Write renamed.md',
      params: { path: 'renamed.md', content: 'by dexto' },
    });
    expect(await pipeline.workspace.get('proj/renamed.md')).toBe('by dexto');
    const escaping = await open(rewrite({ path: '../out.md', content: 'x' }));
    expect(await escaping.call('write', notes)).toMatchObject({ details: { code: 'path_outside' } });
  });

  test('another tool name makes no other call of it', async () => {
    const pipeline = await open(() => ({ ok: true, modify: { toolName: 'exec', args: { path: 'a.md' } } }));
    await pipeline.workspace.put('proj/a.md', 'text of a');
    const result = await pipeline.call('read', { path: 'b.md' });
    expect(result.toolName).toBe('read');
    expect(textOf(result)).toContain('text of a');
  });

  test.each([
    ['do not fit the tool', { path: 7 }],
    ['are no object', 'rm -rf'],
    ['are a list', ['notes.md']],
    ['are gone', undefined],
    ['are no JSON', { path: 'a.md', content: 1n }],
  ])('arguments that %s end the call, and whoever asked is told', async (_what, args) => {
    const told = vi.fn();
    const pipeline = await open(rewrite(args));
    askFirst(pipeline, told);
    const result = await pipeline.call('write', notes, { answer: 'allow-once' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('not valid after a plugin changed them');
    expect(told.mock.calls).toEqual([['cancelled']]);
    expect(await pipeline.workspace.files()).toEqual([]);
  });

  test('arguments are checked again though no hook is there', async () => {
    const pipeline = await open(rewrite({ path: 'a.md', limit: 'all' }));
    await pipeline.workspace.put('proj/a.md', 'text of a');
    expect(textOf(await pipeline.call('read', { path: 'b.md' }))).toContain(
      'not valid after a plugin changed them',
    );
  });

  test('a block is an error for the model, beats every ask, and nothing runs', async () => {
    const told = vi.fn();
    const pipeline = await open(() => ({ ok: false, cancel: true, message: 'not for this tenant' }));
    askFirst(pipeline, told);
    const result = await pipeline.call('write', notes, { answer: 'allow-once' });
    expect(textOf(result)).toContain('Blocked by plugin "dexto1": not for this tenant');
    expect(result).toMatchObject({
      isError: true,
      details: { status: 'blocked', pluginId: 'dexto1', reason: 'not for this tenant' },
    });
    expect(told.mock.calls).toEqual([['cancelled']]);
    expect(pipeline.approvals.history()).toEqual([]);
    expect(await pipeline.workspace.files()).toEqual([]);
  });

  test('what it wanted to change does not run where it then blocks', async () => {
    const pipeline = await open(() => ({ ok: true, cancel: true, modify: { args: { path: 'a.md' } } }));
    await pipeline.workspace.put('proj/a.md', 'text of a');
    expect(textOf(await pipeline.call('read', { path: 'b.md' }))).not.toContain('text of a');
  });

  test('a question from before stays, says what has changed since, and the answer holds for what runs', async () => {
    const pipeline = await open(rewrite({ path: 'renamed.md', content: 'hello\n' }));
    askFirst(pipeline);
    await pipeline.call('write', notes, { answer: 'deny' });
    const [record] = pipeline.approvals.history();
    expect(record?.request.askers).toEqual(['host', 'asker']);
    expect(record?.request.description).toContain(
      'asker: Sure? Changed since this was asked: path. It matters.',
    );
    expect(record?.request.params).toMatchObject({ path: 'renamed.md' });
    expect(await pipeline.workspace.files()).toEqual([]);
  });

  test('a question about what nobody changed has no such mark', async () => {
    const pipeline = await open(rewrite({ ...notes }));
    askFirst(pipeline);
    await pipeline.call('write', notes, { answer: 'deny' });
    expect(pipeline.approvals.history()[0]?.request.description).not.toContain('Changed since');
  });

  test('a cancel while it judges cancels the call, and whoever asked is told', async () => {
    const controller = new AbortController();
    const told = vi.fn();
    const pipeline = await open(() => {
      controller.abort();
      return new Promise(() => undefined);
    });
    askFirst(pipeline, told);
    await expect(pipeline.call('write', notes, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    await expect.poll(() => told.mock.calls).toEqual([['cancelled']]);
  });
});
