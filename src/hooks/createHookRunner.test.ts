import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ToolResultMessage } from '../contracts/message.ts';
import { createManualClock } from '../host/memory/manualClock.ts';
import { createHookRegistry, type AnyHookHandler, type HookRegistration } from './createHookRegistry.ts';
import { createHookRunner } from './createHookRunner.ts';
import type { HookTrace } from './hookTrace.ts';
import type { HandlerContext, HandlerEvent, HookHandler, HookName } from './hookTypes.ts';

function setUp(options: { readonly trace?: boolean } = {}) {
  const registry = createHookRegistry();
  const clock = createManualClock();
  const diagnostics: Diagnostic[] = [];
  const traces: HookTrace[] = [];
  const runner = createHookRunner({
    registry,
    clock,
    report: (each) => void diagnostics.push(each),
    ...(options.trace === true ? { trace: (each: HookTrace) => void traces.push(each) } : {}),
  });
  const add = (
    hook: HookName,
    pluginId: string,
    handler: AnyHookHandler,
    more: Partial<HookRegistration> = {},
  ) =>
    registry.register({ hook, pluginId, handler, priority: 0, timeoutMs: 1000, pluginConfig: {}, ...more });
  const on = <N extends HookName>(
    hook: N,
    pluginId: string,
    handler: HookHandler<N>,
    more: Partial<HookRegistration> = {},
  ) => add(hook, pluginId, handler, more);
  return { registry, clock, diagnostics, traces, runner, add, on };
}

const call = { toolName: 'write', params: { path: 'a.txt', content: 'one' } };
const context = { toolName: 'write' };
const toolResult: ToolResultMessage = {
  role: 'toolResult',
  toolCallId: 'c1',
  toolName: 'read',
  content: [{ type: 'text', text: 'secret' }],
  isError: false,
  timestamp: 0,
};
const turn = { prompt: 'hello', messages: [], systemPrompt: 'You help.' };

describe('order and isolation', () => {
  it('asks handlers by priority, highest first, equal ones in order of registration (H2)', async () => {
    const { runner, on } = setUp();
    const order: string[] = [];
    for (const [id, priority] of [
      ['a', 0],
      ['b', 10],
      ['c', 0],
      ['d', -5],
    ] as const) {
      on('before_tool_call', id, () => void order.push(id), { priority });
    }
    await runner.modify('before_tool_call', call, context);
    expect(order).toEqual(['b', 'a', 'c', 'd']);
  });

  it('lets a later handler judge what an earlier one changed (H4)', async () => {
    const { runner, on } = setUp();
    let seen: unknown;
    on('before_tool_call', 'first', () => ({ params: { path: 'b.txt' } }), { priority: 1 });
    on('before_tool_call', 'second', (event) => void (seen = event.params));
    const outcome = await runner.modify('before_tool_call', call, context);
    expect(seen).toEqual({ path: 'b.txt', content: 'one' });
    expect(outcome.params).toEqual({ path: 'b.txt', content: 'one' });
  });

  it('keeps a handler that mutates its event from changing anything for others (H4)', async () => {
    const { runner, on } = setUp();
    const event = structuredClone(call);
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
    const outcome = await runner.modify('before_tool_call', event, context);
    expect([seen, outcome.params['path'], event.params.path]).toEqual(['a.txt', 'a.txt', 'a.txt']);
  });

  it('keeps a plugin from changing parameters after it has returned them', async () => {
    const { runner, on } = setUp();
    const kept = { target: { path: 'b.txt' } };
    on('before_tool_call', 'sly', () => ({ params: kept }));
    const outcome = await runner.modify('before_tool_call', call, context);
    kept.target.path = '/etc/passwd';
    expect(outcome.params['target']).toEqual({ path: 'b.txt' });
  });

  it('gives each handler its own plugin configuration (H11)', async () => {
    const { runner, on } = setUp();
    const seen: unknown[] = [];
    for (const id of ['a', 'b']) {
      on('agent_end', id, (event) => void seen.push(event.context.pluginConfig), { pluginConfig: { id } });
    }
    await runner.observe('agent_end', { messages: [], success: true }, {});
    expect(seen).toEqual([{ id: 'a' }, { id: 'b' }]);
  });
});

describe('failures', () => {
  it('goes on after a handler that throws, and names plugin and hook (H7)', async () => {
    const { runner, on, diagnostics } = setUp();
    on('before_prompt_build', 'bad', () => {
      throw new Error('boom');
    });
    on('before_prompt_build', 'good', () => ({ prependContext: 'facts' }));
    expect(await runner.modify('before_prompt_build', turn, {})).toEqual({ prependContext: 'facts' });
    expect(diagnostics).toMatchObject([
      {
        code: 'hook_failed',
        pluginId: 'bad',
        message: '[hooks] before_prompt_build handler from bad failed: boom',
      },
    ]);
  });

  it('knows a promise by its then, and reports what is thrown even where it is no error', async () => {
    const { runner, add, diagnostics } = setUp();
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
  ])('blocks the call when a before_tool_call handler %s (H7)', async (_title, handler) => {
    const { runner, add, diagnostics } = setUp();
    add('before_tool_call', 'guard', handler);
    const outcome = await runner.modify('before_tool_call', call, context);
    expect(outcome.block).toEqual({
      pluginId: 'guard',
      reason: 'Tool call blocked because before_tool_call hook failed',
    });
    expect(diagnostics).toMatchObject([{ level: 'error', pluginId: 'guard' }]);
  });

  it('blocks the call when a before_tool_call handler never settles, and fires its abort signal (H7, H8)', async () => {
    const { runner, on, clock, diagnostics } = setUp();
    let signal: AbortSignal | undefined;
    on('before_tool_call', 'slow', (_event, ctx) => {
      signal = ctx.abortSignal;
      return new Promise(() => undefined);
    });
    const pending = runner.modify('before_tool_call', call, context);
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
    const { runner, add, diagnostics } = setUp();
    add('before_tool_call', 'typo', () => ({ blocked: true }));
    await runner.modify('before_tool_call', call, context);
    await runner.modify('before_tool_call', call, context);
    expect(diagnostics).toMatchObject([{ code: 'hook_unknown_field', pluginId: 'typo' }]);
    expect(diagnostics[0]?.message).toContain('returned blocked;');
  });
});

describe('observe', () => {
  it('starts all handlers before any has settled', async () => {
    const { runner, on } = setUp();
    const order: string[] = [];
    on('agent_end', 'a', async () => {
      order.push('a starts');
      await Promise.resolve();
      order.push('a ends');
    });
    on('agent_end', 'b', () => void order.push('b starts'));
    await runner.observe('agent_end', { messages: [], success: true }, {});
    expect(order).toEqual(['a starts', 'b starts', 'a ends']);
  });

  it('resolves when a handler times out', async () => {
    const { runner, on, clock, diagnostics } = setUp();
    on('agent_end', 'slow', () => new Promise(() => undefined));
    const pending = runner.observe('agent_end', { messages: [], success: true }, {});
    clock.advance(1000);
    await pending;
    expect(diagnostics).toMatchObject([{ code: 'hook_timed_out', pluginId: 'slow' }]);
  });

  it('stops waiting when the run is cancelled, without rejecting', async () => {
    const { runner, on } = setUp();
    const controller = new AbortController();
    on('agent_end', 'slow', () => new Promise(() => undefined));
    const pending = runner.observe('agent_end', { messages: [], success: true }, {}, controller.signal);
    controller.abort();
    await expect(pending).resolves.toBeUndefined();
  });

  it('tells a plugin that changes nothing by returning from llm_input which hook to use (H5)', async () => {
    const { runner, add, diagnostics } = setUp();
    add('llm_input', 'old', () => ({ prompt: 'other' }));
    const event = {
      runId: 'r',
      sessionId: 's',
      provider: 'p',
      model: 'm',
      prompt: 'x',
      historyMessages: [],
      imagesCount: 0,
    };
    await runner.observe('llm_input', event, {});
    expect(diagnostics).toMatchObject([
      { code: 'hook_result_ignored', pluginId: 'old', hint: 'Use before_prompt_build to change it.' },
    ]);
  });

  it('costs nothing where nobody listens', () => {
    const { runner } = setUp();
    expect(runner.has('agent_end')).toBe(false);
    const event = { messages: [], success: true };
    expect(runner.observe('agent_end', event, {})).toBe(runner.observe('agent_end', event, {}));
  });
});

describe('before_tool_call', () => {
  it('stops at the first block and asks no later handler (H6)', async () => {
    const { runner, on } = setUp();
    let asked = false;
    on('before_tool_call', 'guard', () => ({ block: true, blockReason: 'No writes here.' }), { priority: 1 });
    on('before_tool_call', 'later', () => void (asked = true));
    const outcome = await runner.modify('before_tool_call', call, context);
    expect(outcome.block).toEqual({ pluginId: 'guard', reason: 'No writes here.' });
    expect(asked).toBe(false);
  });

  it('takes block: false for no decision (H6)', async () => {
    const { runner, on } = setUp();
    on('before_tool_call', 'first', () => ({ block: false }), { priority: 1 });
    on('before_tool_call', 'second', () => ({ block: true }));
    expect((await runner.modify('before_tool_call', call, context)).block?.pluginId).toBe('second');
  });

  it('collects every approval request, and a lower block still blocks (H6, T3)', async () => {
    const { runner, on } = setUp();
    const requireApproval = { title: 'Sure?', description: 'It writes.' };
    on('before_tool_call', 'a', () => ({ requireApproval: { ...requireApproval, severity: 'critical' } }), {
      priority: 2,
    });
    on('before_tool_call', 'b', () => ({ requireApproval }), { priority: 1 });
    const asked = await runner.modify('before_tool_call', call, context);
    expect(asked.block).toBeUndefined();
    expect(asked.asks).toMatchObject([
      { asker: 'a', title: 'Sure?', severity: 'critical' },
      { asker: 'b', severity: 'warning' },
    ]);
    on('before_tool_call', 'c', () => ({ block: true }));
    expect((await runner.modify('before_tool_call', call, context)).block?.pluginId).toBe('c');
  });

  it('ignores parameters of another plugin once one has asked for approval, and says so', async () => {
    const { runner, on, diagnostics } = setUp();
    on('before_tool_call', 'asker', () => ({ requireApproval: { title: 't', description: 'd' } }), {
      priority: 2,
    });
    on('before_tool_call', 'asker', () => ({ params: { path: 'own.txt' } }), { priority: 1 });
    on('before_tool_call', 'other', () => ({ params: { path: 'evil.txt' } }));
    const outcome = await runner.modify('before_tool_call', call, context);
    expect(outcome.params['path']).toBe('own.txt');
    expect(diagnostics).toMatchObject([{ code: 'hook_params_frozen', pluginId: 'other' }]);
  });

  it('names the asker itself, whatever the plugin says, and catches what onResolution throws', async () => {
    const { runner, on, diagnostics } = setUp();
    on('before_tool_call', 'real', () => ({
      requireApproval: {
        title: '',
        description: 'd',
        pluginId: 'someone-else',
        onResolution: () => Promise.reject(new Error('late')),
      },
    }));
    const [ask] = (await runner.modify('before_tool_call', call, context)).asks;
    expect(ask).toMatchObject({ asker: 'real', title: 'Run write?' });
    await ask?.onResolution?.('deny');
    expect(diagnostics).toMatchObject([{ code: 'hook_resolution_failed', pluginId: 'real' }]);
  });

  it('rejects with cancelled as soon as the run is cancelled', async () => {
    const { runner, on } = setUp();
    const controller = new AbortController();
    let own: AbortSignal | undefined;
    on('before_tool_call', 'slow', (_event, ctx) => {
      own = ctx.abortSignal;
      return new Promise(() => undefined);
    });
    const pending = runner.modify('before_tool_call', call, context, controller.signal);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    expect(own?.aborted).toBe(true);
  });
});

describe('merging', () => {
  it('joins prompt contexts and keeps the first system prompt', async () => {
    const { runner, on } = setUp();
    on('before_prompt_build', 'a', () => ({ systemPrompt: 'A', prependContext: 'one', appendContext: '' }));
    on('before_prompt_build', 'b', (event) => ({
      systemPrompt: 'B',
      prependContext: `two after ${JSON.stringify(event)}`,
    }));
    const outcome = await runner.modify('before_prompt_build', { prompt: 'p', messages: [] }, {});
    expect(outcome.systemPrompt).toBe('A');
    expect(outcome.prependContext).toMatch(/^one\n\ntwo after .*"prependContext":"one"/u);
    expect(outcome).not.toHaveProperty('appendContext');
  });

  it('lets message_sending rewrite for the next handler, and stops at a cancel', async () => {
    const { runner, on } = setUp();
    on('message_sending', 'a', (event) => ({ content: `${event.content}!` }));
    on('message_sending', 'b', (event) => ({
      content: `${event.content}?`,
      cancel: true,
      cancelReason: 'rude',
    }));
    on('message_sending', 'c', () => ({ content: 'never' }));
    expect(
      await runner.modify('message_sending', { to: 'user', content: 'Hi' }, { channelId: 'vscode' }),
    ).toEqual({
      content: 'Hi!?',
      cancel: { pluginId: 'b', reason: 'rude' },
    });
  });

  it('lets finalize beat revise, which beats continue', async () => {
    const { runner, on } = setUp();
    on('before_agent_finalize', 'a', () => ({
      action: 'revise',
      reason: 'shorter',
      retry: { instruction: 'cut' },
    }));
    on('before_agent_finalize', 'b', () => ({ action: 'revise', reason: 'kinder' }));
    expect(await runner.modify('before_agent_finalize', {}, {})).toEqual({
      action: 'revise',
      reason: 'shorter\n\nkinder',
      retryCandidates: [{ pluginId: 'a', instruction: 'cut' }],
    });
    on('before_agent_finalize', 'c', () => ({ action: 'finalize' }));
    expect(await runner.modify('before_agent_finalize', {}, {})).toEqual({
      action: 'finalize',
      pluginId: 'c',
    });
  });
});

describe('gate', () => {
  const run = async (handler: AnyHookHandler) => {
    const set = setUp({ trace: true });
    set.add('before_agent_run', 'gate', handler);
    return { ...set, outcome: await set.runner.gate('before_agent_run', turn, {}) };
  };

  it('goes on only after an explicit pass', async () => {
    expect((await run(() => ({ outcome: 'pass' }))).outcome).toEqual({ outcome: 'pass' });
  });

  it('blocks with the text for the user and keeps the internal reason to itself (H12)', async () => {
    const { outcome, diagnostics, traces } = await run(() => ({
      outcome: 'block',
      reason: 'INTERNAL',
      message: 'Not now',
    }));
    expect(outcome).toEqual({
      outcome: 'block',
      pluginId: 'gate',
      message: 'Your message could not be sent: Not now (blocked by gate)',
    });
    expect(JSON.stringify([outcome, diagnostics, traces])).not.toContain('INTERNAL');
  });

  it.each([
    ['null', () => null],
    ['nothing', () => undefined],
    ['an unknown outcome', () => ({ outcome: 'maybe' })],
  ])('blocks on %s (H7)', async (_title, handler) => {
    expect((await run(handler)).outcome).toMatchObject({
      message: expect.stringContaining('before_agent_run returned an invalid decision') as string,
    });
  });

  it('blocks on a throw and writes its text nowhere, as it may quote the user (H12)', async () => {
    const { outcome, diagnostics } = await run(() => {
      throw new Error('bad prompt: hello');
    });
    expect(outcome).toMatchObject({
      outcome: 'block',
      message: expect.stringContaining('hook failed') as string,
    });
    expect(diagnostics).toMatchObject([{ code: 'hook_failed' }]);
    expect(JSON.stringify([outcome, diagnostics])).not.toContain('hello');
  });
});

describe('claim', () => {
  it('ends at the first handler that handled it', async () => {
    const { runner, on } = setUp();
    on('before_agent_reply', 'a', () => ({ handled: false, reply: 'no' }));
    on('before_agent_reply', 'b', () => ({ handled: true, reply: 'yes' }));
    on('before_agent_reply', 'c', () => ({ handled: true, reply: 'late' }));
    expect(await runner.claim('before_agent_reply', { cleanedBody: 'x' }, {})).toEqual({
      pluginId: 'b',
      reply: 'yes',
    });
  });

  it('answers undefined where nobody handled it', async () => {
    const { runner, on } = setUp();
    on('before_agent_reply', 'a', () => undefined);
    expect(await runner.claim('before_agent_reply', { cleanedBody: 'x' }, {})).toBeUndefined();
  });
});

describe('sync', () => {
  it('hands the replaced message to the next handler', () => {
    const { runner, on } = setUp();
    on('tool_result_persist', 'a', (event) => ({
      message: { ...event.message, content: [{ type: 'text', text: 'cut' }] } as ToolResultMessage,
    }));
    on('tool_result_persist', 'b', (event) => {
      expect(event.message.content).toEqual([{ type: 'text', text: 'cut' }]);
      return undefined;
    });
    const { message } = runner.sync('tool_result_persist', { message: toolResult }, {});
    expect(message).toEqual({ ...toolResult, content: [{ type: 'text', text: 'cut' }] });
  });

  it('ignores a promise and says so in upstream words', () => {
    const { runner, add, diagnostics } = setUp();
    add('tool_result_persist', 'late', async () => ({ message: { ...toolResult, content: [] } }));
    expect(runner.sync('tool_result_persist', { message: toolResult }, {}).message).toBe(toolResult);
    expect(diagnostics[0]?.message).toBe(
      '[hooks] tool_result_persist handler from late returned a Promise; this hook is synchronous and the result was ignored.',
    );
  });

  it('refuses a message that answers another call', () => {
    const { runner, on, diagnostics } = setUp();
    on('tool_result_persist', 'odd', () => ({ message: { ...toolResult, toolCallId: 'c2' } }));
    expect(runner.sync('tool_result_persist', { message: toolResult }, {}).message).toBe(toolResult);
    expect(diagnostics).toMatchObject([{ code: 'hook_invalid_result', pluginId: 'odd' }]);
  });

  it('keeps a message out of the transcript when a handler blocks it', () => {
    const { runner, on } = setUp();
    on('before_message_write', 'guard', () => ({ block: true }));
    expect(runner.sync('before_message_write', { message: toolResult }, {}).block).toEqual({
      pluginId: 'guard',
    });
  });
});

describe('context and trace', () => {
  it('gives a handler an abort signal that copying the context leaves out', async () => {
    const { runner, on } = setUp();
    let ctx: HandlerContext<'agent_end'> | undefined;
    on('agent_end', 'a', (_event: HandlerEvent<'agent_end'>, own) => void (ctx = own));
    await runner.observe('agent_end', { messages: [], success: true }, { runId: 'r1' });
    expect(ctx?.abortSignal).toBeInstanceOf(AbortSignal);
    expect({ ...ctx }).toEqual({ runId: 'r1' });
    expect(structuredClone(ctx)).toEqual({ runId: 'r1' });
  });

  it('writes one trace line for each call: who, how long, what became of it', async () => {
    const { runner, on, clock, traces } = setUp({ trace: true });
    on('before_tool_call', 'silent', () => undefined);
    on('before_tool_call', 'editor', () => {
      clock.advance(5);
      return { params: { path: 'b' } };
    });
    on('before_tool_call', 'guard', () => ({ block: true }));
    await runner.modify('before_tool_call', call, context);
    expect(traces).toEqual([
      { hook: 'before_tool_call', pluginId: 'silent', durationMs: 0, outcome: 'nothing' },
      {
        hook: 'before_tool_call',
        pluginId: 'editor',
        durationMs: 5,
        outcome: 'changed',
        changed: ['params'],
      },
      { hook: 'before_tool_call', pluginId: 'guard', durationMs: 0, outcome: 'stopped', changed: ['block'] },
    ]);
  });
});
