import { describe, expect, it } from 'vitest';
import { createTestHooks, toolCall, toolContext } from '../../test/builders/createTestHooks.ts';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createHookRegistry, createHookRunner } from './hookRunner.ts';
import type { HookRegistration } from './hookRegistration.ts';
import type { HookTrace } from './hookTrace.ts';

const registration = (pluginId: string, more: Partial<HookRegistration> = {}): HookRegistration => ({
  hook: 'before_tool_call',
  pluginId,
  handler: () => undefined,
  priority: 0,
  timeoutMs: 1_000,
  ...more,
});

describe('bands of handlers', () => {
  it('come before priorities: policy, first, normal, last', () => {
    const { registry } = createTestHooks();
    registry.registerAll([
      registration('last', { band: 'last', priority: 9 }),
      registration('normal'),
      registration('policy', { band: 'policy', priority: -9 }),
      registration('early', { priority: 5 }),
      registration('first', { band: 'first', priority: -5 }),
    ]);
    const order = registry.handlers('before_tool_call').map(({ pluginId }) => pluginId);
    expect(order).toEqual(['policy', 'first', 'early', 'normal', 'last']);
  });

  it('of policies are a stage of their own', async () => {
    const { registry, runner } = createTestHooks();
    const asked: string[] = [];
    const noting = (who: string) => () => void asked.push(who);
    registry.register(registration('policy', { band: 'policy', handler: noting('policy') }));
    registry.register(registration('plugin', { handler: noting('plugin') }));
    await runner.modify('before_tool_call', toolCall, toolContext, undefined, { stage: 'policies' });
    expect(asked).toEqual(['policy']);
    await runner.modify('before_tool_call', toolCall, toolContext, undefined, { stage: 'plugins' });
    expect(asked).toEqual(['policy', 'plugin']);
  });

  it('a policy replaces parameters, a plugin changes them', async () => {
    const { registry, runner, on } = createTestHooks();
    registry.register(
      registration('policy', { band: 'policy', handler: () => ({ params: { path: 'b.txt' } }) }),
    );
    on('before_tool_call', 'plugin', () => ({ params: { mode: 'x' } }));
    const { params } = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(params).toEqual({ path: 'b.txt', mode: 'x' });
  });
});

describe('where a handler runs', () => {
  it('is no business of the runner: it waits for an answer that somebody else gives', async () => {
    const registry = createHookRegistry();
    registry.register(registration('remote', { handler: () => expect.unreachable() }));
    const asked: unknown[] = [];
    const runner = createHookRunner({
      registry,
      clock: createManualClock(),
      report: () => undefined,
      call: async ({ pluginId }, event, context) => {
        asked.push([pluginId, event, context]);
        return await Promise.resolve({ block: true, blockReason: 'said elsewhere' });
      },
    });
    const { block } = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(block).toEqual({ pluginId: 'remote', reason: 'said elsewhere' });
    expect(asked).toEqual([['remote', toolCall, toolContext]]);
  });

  it('an answer that comes after its time counts for nothing, and its signal says so', async () => {
    const { registry, runner, clock } = createTestHooks();
    let signal: AbortSignal | undefined;
    registry.register(
      registration('slow', {
        handler: (_event, _context, call: { readonly signal: AbortSignal }) => {
          ({ signal } = call);
          return new Promise(() => undefined);
        },
        abortReason: (why) => why,
        onFailure: ({ status }) => ({ block: true, blockReason: status }),
      }),
    );
    const firing = runner.modify('before_tool_call', toolCall, toolContext);
    clock.advance(1_000);
    expect((await firing).block?.reason).toBe('timed-out');
    expect(signal?.reason).toBe('timed-out');
  });
});

describe('what a registration says of a failure', () => {
  const failing = (onFailure: HookRegistration['onFailure']) => {
    const hooks = createTestHooks();
    const handler = () => Promise.reject(new Error('broken'));
    hooks.registry.register(
      registration('p', { handler, ...(onFailure === undefined ? {} : { onFailure }) }),
    );
    return hooks;
  };

  it('counts in place of what the row says, and is the only report', async () => {
    const { runner, diagnostics } = failing(() => undefined);
    const { block } = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(block).toBeUndefined();
    expect(diagnostics).toEqual([]);
  });

  it('is a result like any other', async () => {
    const { runner } = failing(() => ({ params: { path: 'safe.txt' } }));
    const { params } = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(params).toEqual({ ...toolCall.params, path: 'safe.txt' });
  });

  it('is what the row says where it says nothing', async () => {
    const { runner, diagnostics } = failing(undefined);
    expect((await runner.modify('before_tool_call', toolCall, toolContext)).block?.pluginId).toBe('p');
    expect(diagnostics).toMatchObject([{ code: 'hook_failed' }]);
  });
});

describe('what a handler returns', () => {
  it('counts as it is where only adapters of the host register', async () => {
    const { registry, runner } = createTestHooks();
    const context = { commandSource: 'chat' };
    registry.register(
      registration('adapter', { hook: 'internal_event', isAdapter: true, handler: () => ({ context }) }),
    );
    const event = { type: 'command', action: 'new', sessionKey: '', timestamp: new Date(0) } as const;
    const left = await runner.modify(
      'internal_event',
      { ...event, messages: [], context: {} },
      { sessionKey: '' },
    );
    expect(left.context).toBe(context);
  });

  it('is copied of an adapter, too, where plugins register: it holds what one of them said', async () => {
    const { registry, runner } = createTestHooks();
    const params = { target: { path: 'b.txt' } };
    registry.register(
      registration('policy', { band: 'policy', isAdapter: true, handler: () => ({ params }) }),
    );
    const outcome = await runner.modify('before_tool_call', toolCall, toolContext);
    params.target.path = '/etc/passwd';
    expect(outcome.params).toEqual({ target: { path: 'b.txt' } });
  });
});

it('a registration adds to its line of the trace, or keeps it back', async () => {
  const { registry, runner, traces } = createTestHooks({ trace: true });
  const told = { blocking: true, outcome: 'declined' } as const;
  const seen: HookTrace[] = [];
  registry.register(registration('teller', { ended: (line) => ({ ...line, told }) }));
  registry.register(registration('silent', { ended: (line) => void seen.push(line) }));
  await runner.modify('before_tool_call', toolCall, toolContext);
  expect(traces).toMatchObject([{ pluginId: 'teller', told }]);
  expect(seen).toMatchObject([{ pluginId: 'silent', outcome: 'nothing' }]);
});

it('handlers that a source knows are waited for while they are replaced', async () => {
  const { registry, runner } = createTestHooks();
  let handlers: readonly HookRegistration[] = [];
  let ready: () => void = () => undefined;
  const pending = new Promise<void>((resolve) => (ready = resolve));
  registry.provide(['beforeToolCall'], { handlers: () => handlers, pending: () => pending });
  const model = {
    provider: 'p',
    model: 'm',
    name: 'M',
    contextWindow: 1,
    maxOutputTokens: 1,
    toolCalling: true,
  };
  const context = { runId: 'r', sessionId: 's', sessionKey: 'k', agentId: 'a', model };
  const payload = { toolName: 'write', args: {} };
  const firing = runner.modify('beforeToolCall', payload, context);
  handlers = [registration('new', { hook: 'beforeToolCall', handler: () => ({ modify: { args: 1 } }) })];
  ready();
  expect(await firing).toEqual({ payload: { toolName: 'write', args: 1 } });
  expect(payload.args).toEqual({});
});

it('handlers that a source knows run by their band among those that are registered, in the order of the source', () => {
  const { registry } = createTestHooks();
  const hook = 'beforeToolCall' as const;
  registry.register(registration('late', { hook, band: 'last' }));
  registry.register(registration('early', { hook, band: 'first' }));
  const given = [
    registration('given-late', { hook, band: 'last', priority: 1 }),
    registration('given-first', { hook, band: 'first', priority: 1 }),
    registration('given-second', { hook, band: 'first', priority: 9 }),
  ];
  registry.provide([hook], { handlers: () => given, pending: () => undefined });
  expect(registry.handlers(hook).map(({ pluginId }) => pluginId)).toEqual([
    'early',
    'given-first',
    'given-second',
    'late',
    'given-late',
  ]);
});

it('a handler hears of the events that match alone', async () => {
  const { registry, runner } = createTestHooks();
  const heard: string[] = [];
  const matches = ({ toolName }: { readonly toolName: string }) => toolName === 'exec';
  registry.register(registration('p', { matches, handler: () => void heard.push('exec') }));
  await runner.modify('before_tool_call', toolCall, toolContext);
  expect(heard).toEqual([]);
  await runner.modify('before_tool_call', { ...toolCall, toolName: 'exec' }, toolContext);
  expect(heard).toEqual(['exec']);
});

describe('of a plugin that may not run any more', () => {
  const forbid = (...off: readonly string[]) => {
    const registry = createHookRegistry();
    const runner = createHookRunner({
      registry,
      clock: createManualClock(),
      report: () => undefined,
      forbidden: () => new Set(off),
    });
    return { registry, runner };
  };

  it('what refuses and asks counts, and what changes does not', async () => {
    const { registry, runner } = forbid('off');
    const said = { params: { path: 'b.txt' }, requireApproval: { title: 'Sure?' } };
    registry.register(registration('off', { handler: () => said }));
    const asked = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(asked).toMatchObject({ params: toolCall.params, asks: [{ asker: 'off', title: 'Sure?' }] });
    registry.register(registration('off', { handler: async () => await Promise.resolve({ block: true }) }));
    const { block } = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(block?.pluginId).toBe('off');
  });

  it('an answer that it cancels is not shown; what it would change stays', async () => {
    const { registry, runner } = forbid('off');
    const event = { payload: { text: 'the key' }, kind: 'final' } as const;
    const hook = 'reply_payload_sending';
    registry.register(registration('off', { hook, handler: () => ({ payload: { text: 'nothing' } }) }));
    expect(await runner.modify(hook, event, { channelId: 'vscode' })).toMatchObject({
      payload: event.payload,
    });
    registry.register(registration('off', { hook, handler: () => ({ cancel: true, reason: 'secret' }) }));
    expect(await runner.modify(hook, event, { channelId: 'vscode' })).toMatchObject({
      cancel: { pluginId: 'off' },
    });
  });

  it('an agent that it refuses is not started', async () => {
    const { registry, runner } = forbid('off');
    const hook = 'subagent_spawning';
    const event = { childSessionKey: 'c', agentId: 'a', mode: 'run', threadRequested: false } as const;
    registry.register(
      registration('off', { hook, handler: () => ({ status: 'ok', threadBindingReady: true }) }),
    );
    expect(await runner.modify(hook, event, {})).toEqual({ status: 'ok', threadBindingReady: false });
    registry.register(registration('off', { hook, handler: () => ({ status: 'error', error: 'Not now.' }) }));
    expect(await runner.modify(hook, event, {})).toMatchObject({ status: 'error', error: 'Not now.' });
  });

  it('hooks that refuse nothing are not called, those of others are', async () => {
    const { registry, runner } = forbid('off');
    const heard: string[] = [];
    for (const id of ['off', 'on'])
      registry.register(registration(id, { hook: 'after_tool_call', handler: () => void heard.push(id) }));
    await runner.observe('after_tool_call', toolCall, toolContext);
    expect(heard).toEqual(['on']);
  });
});
