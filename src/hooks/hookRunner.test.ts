import { describe, expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import { createTestHooks, promptEvent, toolCall, toolContext } from '../../test/builders/createTestHooks.ts';

describe('order and isolation', () => {
  it('asks handlers by priority, highest first, equal ones in order of registration', async () => {
    const { runner, on } = createTestHooks();
    const order: string[] = [];
    for (const [id, priority] of [
      ['a', 0],
      ['b', 10],
      ['c', 0],
      ['d', -5],
    ] as const) {
      on('before_tool_call', id, () => void order.push(id), { priority });
    }
    await runner.modify('before_tool_call', toolCall, toolContext);
    expect(order).toEqual(['b', 'a', 'c', 'd']);
  });

  it('lets a later handler judge what an earlier one changed', async () => {
    const { runner, on } = createTestHooks();
    let seen: unknown;
    on('before_tool_call', 'first', () => ({ params: { path: 'b.txt' } }), { priority: 1 });
    on('before_tool_call', 'second', (event) => void (seen = event.params));
    const outcome = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(seen).toEqual({ path: 'b.txt', content: 'one' });
    expect(outcome.params).toEqual({ path: 'b.txt', content: 'one' });
  });

  it('keeps a handler that mutates its event from changing anything for others', async () => {
    const { runner, on } = createTestHooks();
    const event = structuredClone(toolCall);
    let seen: unknown;
    on(
      'before_tool_call',
      'mutator',
      (own) => void ((own.params as Record<string, unknown>)['path'] = 'evil'),
      {
        priority: 1,
      },
    );
    on('before_tool_call', 'next', (own) => void (seen = own.params['path']));
    const outcome = await runner.modify('before_tool_call', event, toolContext);
    expect([seen, outcome.params['path'], event.params.path]).toEqual(['a.txt', 'a.txt', 'a.txt']);
  });

  it('keeps a plugin from changing parameters after it has returned them', async () => {
    const { runner, on } = createTestHooks();
    const kept = { target: { path: 'b.txt' } };
    on('before_tool_call', 'sly', () => ({ params: kept }));
    const outcome = await runner.modify('before_tool_call', toolCall, toolContext);
    kept.target.path = '/etc/passwd';
    expect(outcome.params['target']).toEqual({ path: 'b.txt' });
  });

  it('gives each handler its own plugin configuration', async () => {
    const { runner, on } = createTestHooks();
    const seen: unknown[] = [];
    for (const id of ['a', 'b']) {
      on('agent_end', id, (event) => void seen.push(event.context.pluginConfig), { pluginConfig: { id } });
    }
    await runner.observe('agent_end', { messages: [], success: true }, {});
    expect(seen).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  it('gives a copy of the context where nothing says that the host calls for itself', async () => {
    const { registry, runner } = createTestHooks();
    const context = { toolName: 'write' };
    const handler = (event: { context?: unknown }, own: { toolName: string }): void => {
      expect(event.context).toEqual({ pluginConfig: {} });
      own.toolName = 'exec';
    };
    registry.register({ hook: 'before_tool_call', pluginId: 'p', handler, priority: 0, timeoutMs: 1_000 });
    await runner.modify('before_tool_call', toolCall, context);
    expect(context).toEqual({ toolName: 'write' });
  });
});

describe('a handler that fails or hangs', () => {
  it('goes on after a handler that throws, and names plugin and hook', async () => {
    const { runner, on, diagnostics } = createTestHooks();
    on('before_prompt_build', 'bad', () => {
      throw new Error('boom');
    });
    on('before_prompt_build', 'good', () => ({ prependContext: 'facts' }));
    expect(await runner.modify('before_prompt_build', promptEvent, {})).toEqual({ prependContext: 'facts' });
    expect(diagnostics).toMatchObject([
      {
        code: 'hook_failed',
        pluginId: 'bad',
        message:
          '[hooks] before_prompt_build handler from bad failed; its error text is not shown because it may quote the user',
      },
    ]);
  });

  it('knows a promise by its then, and reports what is thrown even where it is no error', async () => {
    const { runner, add, diagnostics } = createTestHooks();
    add('message_sent', 'odd', () => ({
      then: (_done: unknown, fail: (error: unknown) => void) => fail({ code: 7 }),
    }));
    await runner.observe(
      'message_sent',
      { to: 'user', content: 'x', success: true },
      { channelId: 'vscode' },
    );
    expect(diagnostics[0]?.message).toBe('[hooks] message_sent handler from odd failed: {"code":7}');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
    ['returns a bare value', () => false],
    ['returns parameters of the wrong type', () => ({ params: 'path' })],
    ['returns a block of the wrong type', () => ({ block: 'yes' })],
    [
      'returns a cycle',
      () => {
        const params: Record<string, unknown> = {};
        params['self'] = params;
        return { params };
      },
    ],
  ])('blocks the call when a before_tool_call handler %s', async (_title, handler) => {
    const { runner, add, diagnostics } = createTestHooks();
    add('before_tool_call', 'guard', handler);
    const outcome = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(outcome.block).toEqual({
      pluginId: 'guard',
      reason: 'Tool call blocked because before_tool_call hook failed',
    });
    expect(diagnostics).toMatchObject([{ level: 'error', pluginId: 'guard' }]);
  });

  it('says of a before_tool_call handler that is not called since it hangs by whom the call is blocked, and how to go on', async () => {
    const { runner, add } = createTestHooks();
    add('before_tool_call', 'guard', () => {
      throw new PincerError('plugin_call_hung', 'the user said: hello');
    });
    const outcome = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(outcome.block).toEqual({
      pluginId: 'guard',
      reason:
        'the plugin guard did not return from before_tool_call the last two times and is skipped; to try it again, change it or reload it in the Plugins view',
      isSkipped: true,
    });
  });

  it('blocks the call when a before_tool_call handler never settles, and fires its abort signal', async () => {
    const { runner, on, clock, diagnostics } = createTestHooks();
    let signal: AbortSignal | undefined;
    on('before_tool_call', 'slow', (_event, ctx) => {
      signal = ctx.abortSignal;
      return new Promise(() => undefined);
    });
    const pending = runner.modify('before_tool_call', toolCall, toolContext);
    clock.advance(999);
    expect(signal?.aborted).toBe(false);
    clock.advance(1);
    expect((await pending).block?.pluginId).toBe('slow');
    expect(signal?.aborted).toBe(true);
    expect(diagnostics[0]).toMatchObject({
      code: 'hook_timed_out',
      message: '[hooks] before_tool_call handler from slow failed: timed out after 1000ms',
    });
  });

  it('says which returned fields have no effect, once for each handler', async () => {
    const { runner, add, diagnostics } = createTestHooks();
    add('before_tool_call', 'typo', () => ({ blocked: true }));
    await runner.modify('before_tool_call', toolCall, toolContext);
    await runner.modify('before_tool_call', toolCall, toolContext);
    expect(diagnostics).toMatchObject([{ code: 'hook_unknown_field', pluginId: 'typo' }]);
    expect(diagnostics[0]?.message).toContain('returned blocked;');
  });
});
