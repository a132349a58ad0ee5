import { describe, expect, test, vi } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import { connects, executes } from '../../../test/builders/callContexts.ts';
import { approvalModes } from '../../approvals/decideMode.ts';
import type { ToolResult } from '../../contracts/tool.ts';
import { pluginTool, usePipelines } from '../../../test/samples/tools/createTestPipeline.ts';
import { textOf } from '../../../test/samples/tools/createTestWorkspace.ts';

const setUp = usePipelines();

const notes = { path: 'notes.md', content: 'hello\n' };

describe('before_tool_call', () => {
  test('whoever asked is told of a cancel while a later handler still judges', async () => {
    const pipeline = await setUp();
    const controller = new AbortController();
    const told = vi.fn();
    pipeline.on('before_tool_call', 'asker', () => ({
      requireApproval: { title: 'Sure?', description: 'd', onResolution: told },
    }));
    pipeline.on('before_tool_call', 'slow', () => {
      controller.abort();
      return new Promise(() => undefined);
    });
    await expect(pipeline.call('write', notes, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(told.mock.calls).toEqual([['cancelled']]);
  });

  test('a block ends the call and names plugin and reason', async () => {
    const pipeline = await setUp();
    pipeline.on('before_tool_call', 'guard', () => ({ block: true, blockReason: 'not on Fridays' }));
    const result = await pipeline.call('write', notes, { answer: 'allow-once' });
    expect(textOf(result)).toContain('Blocked by plugin "guard": not on Fridays');
    expect(result).toMatchObject({
      isError: true,
      details: {
        status: 'blocked',
        deniedReason: 'plugin-before-tool-call',
        pluginId: 'guard',
        reason: 'not on Fridays',
      },
    });
    expect(await pipeline.workspace.files()).toEqual([]);
  });

  test('is told the tool, the parameters, the ids and the paths', async () => {
    const pipeline = await setUp();
    const seen = vi.fn();
    pipeline.on('before_tool_call', 'spy', (event, context) => seen(event, context) as undefined);
    await pipeline.call('write', notes, { answer: 'deny' });
    const [event, context] = seen.mock.calls[0] as readonly unknown[];
    expect(event).toMatchObject({
      toolName: 'write',
      params: notes,
      runId: 'run-1',
      toolCallId: 'call-1',
      derivedPaths: [`${pipeline.workspace.root}/notes.md`],
    });
    expect(context).toMatchObject({
      toolName: 'write',
      sessionKey: 'main',
      sessionId: 's1',
      agentId: 'main',
    });
  });

  test('changed parameters are what is checked, shown and run, and the transcript keeps its own', async () => {
    const pipeline = await setUp();
    pipeline.on('before_tool_call', 'rename', () => ({ params: { path: 'renamed.md' } }));
    const params = { ...notes };
    await pipeline.call('write', params, { answer: 'allow-once' });
    expect(pipeline.approvals.history()[0]?.request).toMatchObject({ title: 'Write renamed.md' });
    expect(await pipeline.workspace.files()).toEqual(['proj/renamed.md']);
    expect(params).toEqual(notes);
  });

  test('changed parameters that do not fit or leave the workspace are refused', async () => {
    const pipeline = await setUp();
    let path: unknown = 7;
    pipeline.on('before_tool_call', 'breaker', () => ({ params: { path } }));
    expect(textOf(await pipeline.call('write', notes))).toContain('not valid after a plugin changed them');
    path = '../x.md';
    expect(await pipeline.call('write', notes)).toMatchObject({ details: { code: 'path_outside' } });
  });

  test('a list that says it is another one is judged as the tool gets it', async () => {
    const got: unknown[] = [];
    const judged: unknown[] = [];
    const schema = { type: 'object' };
    const pipeline = await setUp({
      plugins: [pluginTool(({ list }) => (got.push(list), 'done'), { parameters: schema })],
    });
    pipeline.on('before_tool_call', 'sly', () => {
      const held = Object.assign(['evil'], { slice: () => ['harmless'] });
      return { params: { list: Object.assign(['first'], { slice: () => held }) } };
    });
    pipeline.on('before_tool_call', 'guard', ({ params }) => void judged.push(params['list']));
    await pipeline.call('shout', {});
    expect(judged).toEqual([['first']]);
    expect(got).toEqual(judged);
  });

  test('parameters that are no JSON refuse the call, and whoever asked is told', async () => {
    const pipeline = await setUp();
    const told = vi.fn();
    pipeline.on('before_tool_call', 'asker', () => ({
      requireApproval: { title: 'Sure?', description: 'd', onResolution: told },
      params: { content: 1n },
    }));
    const result = await pipeline.call('write', notes);
    expect(result).toMatchObject({ isError: true, details: { status: 'invalid-params' } });
    expect(textOf(result)).toContain('they are no JSON object');
    expect(told.mock.calls).toEqual([['cancelled']]);
  });

  test('a handler that throws blocks the call', async () => {
    const pipeline = await setUp();
    pipeline.on('before_tool_call', 'broken', () => Promise.reject(new Error('boom')));
    await pipeline.workspace.put('proj/a.md', 'x');
    const result = await pipeline.call('read', { path: 'a.md' });
    expect(textOf(result)).toContain('Tool call blocked because before_tool_call hook failed');
  });

  test('a handler that is skipped since it hangs blocks the call, and the result names what would try it again', async () => {
    const pipeline = await setUp();
    pipeline.on('before_tool_call', 'guard', () => {
      throw new PincerError('plugin_call_hung', 'hangs');
    });
    await pipeline.workspace.put('proj/a.md', 'x');
    const result = await pipeline.call('read', { path: 'a.md' });
    expect(result.details).toMatchObject({ status: 'blocked', pluginId: 'guard', isSkipped: true });
    expect(textOf(result)).toContain('did not return from before_tool_call the last two times');
  });

  test('a plugin and the host ask in one request, and the plugin is told the answer', async () => {
    const pipeline = await setUp();
    const told = vi.fn();
    pipeline.on('before_tool_call', 'guard', () => ({
      requireApproval: {
        title: 'Sure?',
        description: 'notes matter',
        severity: 'critical',
        onResolution: told,
      },
    }));
    await pipeline.call('write', notes, { answer: 'allow-once' });
    const requests = pipeline.events.filter((event) => event.type === 'approval_requested');
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      request: {
        title: 'Write notes.md',
        askers: ['host', 'guard'],
        severity: 'critical',
        decisions: ['allow-once', 'deny'],
      },
    });
    await expect.poll(() => told.mock.calls).toEqual([['allow-once']]);
  });

  test('mode full never answers a plugin that asks', async () => {
    const pipeline = await setUp({ limits: { mode: 'full', canAsk: false } });
    pipeline.on('before_tool_call', 'guard', () => ({
      requireApproval: { title: 'Sure?', description: '' },
    }));
    expect(await pipeline.call('write', notes)).toMatchObject({ isError: true });
    expect(await pipeline.workspace.files()).toEqual([]);
  });

  test.each(approvalModes)(
    'mode %s: what the deny list names does not run, nobody is asked',
    async (mode) => {
      const run = vi.fn();
      const denied = executes('rm -rf /', { verdict: 'denied', reason: 'the deny list names rm' });
      const tool = pluginTool(run, { prepare: () => Promise.resolve({ effects: [denied], run }) });
      const pipeline = await setUp({ plugins: [tool], limits: { mode } });
      const told = vi.fn();
      pipeline.on('before_tool_call', 'guard', () => ({
        requireApproval: { title: 'Sure?', description: '', onResolution: told },
      }));
      const result = await pipeline.call('shout', {}, { answer: 'allow-once' });
      expect(textOf(result)).toContain('Denied: the deny list names rm. Nothing was done.');
      expect(result).toMatchObject({ isError: true, details: { status: 'denied', by: 'rule' } });
      expect(pipeline.events.filter((event) => event.type === 'approval_requested')).toEqual([]);
      expect(run).not.toHaveBeenCalled();
      await expect.poll(() => told.mock.calls).toEqual([['cancelled']]);
    },
  );

  test('the question carries the command and the connection whole', async () => {
    const effects = [executes('make all', { patterns: ['make all'] }), connects('example.com')];
    const run = (): Promise<ToolResult> => Promise.resolve({ content: [{ type: 'text', text: 'ok' }] });
    const tool = pluginTool(run, { prepare: () => Promise.resolve({ effects, run }) });
    const pipeline = await setUp({ plugins: [tool] });
    await pipeline.call('shout', {}, { answer: 'allow-once' });
    expect(pipeline.approvals.history()[0]?.request.effects).toEqual(effects);
  });

  test('a plugin that asked is told "cancelled" when the call ends before its question', async () => {
    const pipeline = await setUp();
    const told = vi.fn();
    pipeline.on('before_tool_call', 'guard', () => ({
      requireApproval: { title: 'Sure?', description: '', onResolution: told },
    }));
    await pipeline.call('write', { ...notes, path: '../x.md' });
    await expect.poll(() => told.mock.calls).toEqual([['cancelled']]);
  });
});
