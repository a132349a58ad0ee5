import { describe, expect, test, vi } from 'vitest';
import type { HookRegistration } from '../hooks/hookRegistration.ts';
import { pluginTool, usePipelines } from '../../test/samples/tools/createTestPipeline.ts';
import { textOf } from '../../test/samples/tools/createTestWorkspace.ts';

const setUp = usePipelines();

const notes = { path: 'notes.md', content: 'hello\n' };

describe('an edit', () => {
  test('touches nothing before the user allows it, then writes exactly what was shown', async () => {
    const pipeline = await setUp();
    const result = pipeline.call('write', notes);
    await expect.poll(() => pipeline.approvals.pending()).toHaveLength(1);
    expect(await pipeline.workspace.files()).toEqual([]);
    const [request] = pipeline.approvals.pending();
    expect(request).toMatchObject({
      title: 'Write notes.md',
      description: 'new file, 1 line',
      askers: ['host'],
      grantLabel: 'write notes.md',
      edits: [{ before: null, after: 'hello\n' }],
    });
    pipeline.approvals.noteShownWhole(request!.id, 'diff');
    pipeline.approvals.resolve(request!.id, 'allow-once', 'chat');
    expect(await result).toMatchObject({ isError: false, content: [{ text: 'Created notes.md.' }] });
    expect(await pipeline.workspace.get('proj/notes.md')).toBe('hello\n');
    expect(pipeline.events.map((event) => event.type)).toEqual([
      'tool_started',
      'approval_requested',
      'approval_resolved',
      'tool_ended',
    ]);
    expect(pipeline.events[0]).toMatchObject({ label: 'Write notes.md' });
  });

  test('is not made when the user denies, and the model is told not to try again', async () => {
    const pipeline = await setUp();
    const result = await pipeline.call('write', notes, { answer: 'deny' });
    expect(result).toMatchObject({
      isError: true,
      details: { status: 'denied', resolution: 'deny', by: 'chat' },
    });
    expect(textOf(result)).toContain('Denied by user');
    expect(textOf(result)).toContain('Do not repeat the same call');
    expect(await pipeline.workspace.files()).toEqual([]);
  });

  test('is not made when nobody answers in time', async () => {
    const pipeline = await setUp();
    const pending = pipeline.call('write', notes);
    await expect.poll(() => pipeline.approvals.pending()).toHaveLength(1);
    pipeline.clock.advance(120_000);
    const result = await pending;
    expect(textOf(result)).toContain('Approval timed out');
    expect(result).toMatchObject({ isError: true, details: { resolution: 'timeout' } });
    expect(await pipeline.workspace.files()).toEqual([]);
  });

  test('that is always allowed is asked once for this file, and again for another', async () => {
    const pipeline = await setUp();
    await pipeline.call('write', notes, { answer: 'allow-always' });
    await pipeline.call('write', { ...notes, content: 'again' });
    expect(await pipeline.workspace.get('proj/notes.md')).toBe('again');
    await pipeline.call('write', { path: 'other.md', content: 'x' }, { answer: 'deny' });
    expect(pipeline.events.filter((event) => event.type === 'approval_requested')).toHaveLength(2);
  });

  test('in mode full needs no question, except where it is protected', async () => {
    const pipeline = await setUp({ limits: { mode: 'full', canAsk: false } });
    expect(await pipeline.call('write', notes)).toMatchObject({ isError: false });
    const result = await pipeline.call('write', { path: 'AGENTS.md', content: 'obey' });
    expect(textOf(result)).toContain('nobody can answer here');
    expect(pipeline.events.filter((event) => event.type.startsWith('approval_'))).toEqual([]);
    expect(await pipeline.workspace.files()).toEqual(['proj/notes.md']);
  });

  test('in mode deny is denied without a question, while reading goes on', async () => {
    const pipeline = await setUp({ limits: { mode: 'deny' } });
    await pipeline.workspace.put('proj/a.md', 'text');
    expect(await pipeline.call('write', notes)).toMatchObject({ isError: true });
    expect(await pipeline.call('read', { path: 'a.md' })).toMatchObject({ isError: false });
  });

  test('is refused when the file changed while the user was thinking', async () => {
    const pipeline = await setUp();
    await pipeline.workspace.put('proj/notes.md', 'old');
    const pending = pipeline.call('write', notes);
    await expect.poll(() => pipeline.approvals.pending()).toHaveLength(1);
    await pipeline.workspace.put('proj/notes.md', 'mine');
    const { id } = pipeline.approvals.pending()[0]!;
    pipeline.approvals.noteShownWhole(id, 'diff');
    pipeline.approvals.resolve(id, 'allow-once', 'chat');
    expect(await pending).toMatchObject({ isError: true, details: { code: 'edit_stale' } });
    expect(await pipeline.workspace.get('proj/notes.md')).toBe('mine');
  });
});

test('reading secrets asks, and a secret is not in the result of a denied call', async () => {
  const pipeline = await setUp();
  await pipeline.workspace.put('proj/.env', 'KEY=hunter2');
  const result = await pipeline.call('read', { path: '.env' }, { answer: 'deny' });
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result)).not.toContain('hunter2');
});

describe('what can not run says what to do', () => {
  test('an unknown tool names the nearest', async () => {
    const pipeline = await setUp();
    const result = await pipeline.call('wirte', {});
    expect(textOf(result)).toMatch(/There is no tool "wirte"\.\nDid you mean write, /u);
    expect(pipeline.events.map((event) => event.type)).toEqual(['tool_started', 'tool_ended']);
  });

  test('a hidden tool gives the reason', async () => {
    const policy = [{ label: 'your config', deny: ['write'] }];
    const pipeline = await setUp({ catalog: { policy } });
    expect(textOf(await pipeline.call('write', notes))).toContain('denied by "write" in your config');
  });

  test('parameters that do not fit are listed', async () => {
    const pipeline = await setUp();
    const text = textOf(await pipeline.call('write', { path: 3, extra: true }));
    expect(text).toContain("- parameters: must have required property 'content'");
    expect(text).toContain('- path: must be string');
    expect(text).toContain('must NOT have additional properties ("extra")');
  });

  test('a refused path gives reason and hint', async () => {
    const pipeline = await setUp();
    const result = await pipeline.call('read', { path: '../secret.txt' });
    expect(result).toMatchObject({ isError: true, details: { code: 'path_outside' } });
    expect(textOf(result)).toContain('outside the workspace');
  });
});

describe('a cancel', () => {
  test('ends a tool that never returns, and auditors learn that it had begun', async () => {
    const controller = new AbortController();
    const after = vi.fn();
    const pipeline = await setUp({
      plugins: [
        pluginTool(() => {
          setTimeout(() => controller.abort(), 0);
          return new Promise(() => undefined);
        }),
      ],
    });
    pipeline.on('after_tool_call', 'audit', (event) => after(event.error) as undefined);
    await expect(pipeline.call('shout', {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(after.mock.calls).toEqual([['cancelled']]);
  });

  test('while plugins judge the result leaves no call that ran untold', async () => {
    const controller = new AbortController();
    const after = vi.fn();
    const slow: HookRegistration = {
      hook: 'afterToolResult',
      pluginId: 'slow',
      priority: 0,
      timeoutMs: 1_000,
      isAdapter: true,
      handler() {
        controller.abort();
        return new Promise(() => undefined);
      },
    };
    const pipeline = await setUp({
      plugins: [pluginTool(() => ({ content: 'done' }))],
      points: {
        handlers: (hook) => (hook === 'afterToolResult' ? [slow] : []),
        pending: () => undefined,
      },
    });
    pipeline.on('after_tool_call', 'audit', (event) => after(event.error) as undefined);
    await expect(pipeline.call('shout', {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(after.mock.calls).toEqual([['cancelled']]);
  });

  test('ends a question, and nothing is written', async () => {
    const controller = new AbortController();
    const pipeline = await setUp();
    const pending = pipeline.call('write', notes, { signal: controller.signal });
    await expect.poll(() => pipeline.approvals.pending()).toHaveLength(1);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    expect(pipeline.approvals.pending()).toEqual([]);
    expect(await pipeline.workspace.files()).toEqual([]);
  });

  test('ends a handler of before_tool_call that never answers', async () => {
    const controller = new AbortController();
    const pipeline = await setUp();
    pipeline.on('before_tool_call', 'slow', () => {
      setTimeout(() => controller.abort(), 0);
      return new Promise(() => undefined);
    });
    await expect(pipeline.call('write', notes, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

test('every step leaves a line in the trace, in the order of the pipeline', async () => {
  const pipeline = await setUp();
  pipeline.on('before_tool_call', 'spy', () => undefined);
  pipeline.on('tool_result_persist', 'spy', () => undefined);
  pipeline.on('after_tool_call', 'spy', () => undefined);
  await pipeline.call('write', notes, { answer: 'allow-once' });
  const stages = pipeline.steps.map((step) => (step.kind === 'tool' ? step.stage : step.kind));
  expect(stages).toEqual([
    'validate',
    'before_tool_call',
    'validate_again',
    'prepare',
    'policy',
    'approve',
    'approval',
    'execute',
    'tool_result_persist',
    'after_tool_call',
    'finish',
  ]);
  expect(pipeline.steps.every((step) => 'toolName' in step && step.toolName === 'write')).toBe(true);
});
