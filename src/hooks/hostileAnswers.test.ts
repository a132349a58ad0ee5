import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createTestHooks,
  promptEvent,
  toolCall,
  toolContext,
  toolResult,
} from '../../test/builders/createTestHooks.ts';
import { stripPromptChanges } from './decideHookAccess.ts';

const hangs = Symbol('hangs');
const endOf = <T>(work: Promise<T>): Promise<T | typeof hangs> =>
  Promise.race([work, setImmediate().then(() => setImmediate(hangs))]);
const runEnded = { messages: [], success: true } as const;
const never = new Promise<never>(() => undefined);

function fail(): never {
  throw new Error('hostile');
}

/** An object that can't even be asked what it is, once it was asked for a `then`. */
function revokedByThen(): object {
  const { proxy, revoke } = Proxy.revocable<object>(
    {},
    {
      has() {
        revoke();
        return false;
      },
      get: () => revoke(),
    },
  );
  return proxy;
}

function promiseWith(own: PropertyDescriptorMap, value?: unknown): Promise<unknown> {
  return Object.defineProperties(Promise.resolve(value), own);
}

describe('an answer that fails where it is looked at', () => {
  it.each([
    ['returned', revokedByThen],
    ['resolved', async () => Promise.resolve(revokedByThen())],
  ])('keeps no other observer from the event when %s', async (_how, answer) => {
    const { runner, add } = createTestHooks();
    const heard: string[] = [];
    add('agent_end', 'hostile', answer);
    add('agent_end', 'other', () => void heard.push('other'));
    expect(await endOf(runner.observe('agent_end', runEnded, {}))).toBeUndefined();
    expect(heard).toEqual(['other']);
  });

  it('fails open where the hook does', async () => {
    const { runner, add, diagnostics } = createTestHooks();
    add('before_prompt_build', 'hostile', revokedByThen);
    add('before_prompt_build', 'other', () => ({ prependContext: 'facts' }));
    const outcome = await endOf(runner.modify('before_prompt_build', promptEvent, {}));
    expect(outcome).toEqual({ prependContext: 'facts' });
    expect(diagnostics).toMatchObject([{ code: 'hook_invalid_result', pluginId: 'hostile' }]);
  });

  it('stores the message where a sync handler gives a then that throws', () => {
    const { runner, add, diagnostics } = createTestHooks();
    add('before_message_write', 'hostile', () => Object.defineProperty({}, 'then', { get: fail }));
    expect(runner.sync('before_message_write', { message: toolResult }, {})).toEqual({ message: toolResult });
    expect(diagnostics).toMatchObject([{ code: 'hook_invalid_result', pluginId: 'hostile' }]);
  });
});

describe('an error that can not be read', () => {
  const errors: readonly (readonly [string, unknown])[] = [
    [
      'an object that has no text',
      Object.defineProperty({ toJSON: fail }, Symbol.toStringTag, { get: fail }),
    ],
    ['a proxy', new Proxy(new Error('x'), { getPrototypeOf: fail, get: fail })],
    ['an error with another kind of message', Object.assign(new Error('x'), { message: { toString: fail } })],
    [
      'an error whose code throws',
      Object.defineProperties(new Error('x'), { name: { value: 'PincerError' }, code: { get: fail } }),
    ],
  ];
  const handlers = errors.flatMap(([title, error]) => {
    const fails = (): never => {
      throw error;
    };
    return [
      [`thrown: ${title}`, fails] as const,
      [`rejected: ${title}`, () => Promise.resolve().then(fails)] as const,
    ];
  });

  it.each(handlers)('counts as a failure when %s', async (_title, handler) => {
    const { runner, add, diagnostics } = createTestHooks({ trace: true });
    for (const hook of ['before_tool_call', 'before_agent_run', 'agent_end'] as const)
      add(hook, 'hostile', handler);
    const judged = await endOf(runner.modify('before_tool_call', toolCall, toolContext));
    expect(judged).toMatchObject({ block: { pluginId: 'hostile' } });
    const gated = await endOf(runner.gate('before_agent_run', promptEvent, {}));
    expect(gated).toMatchObject({ pluginId: 'hostile' });
    expect(await endOf(runner.observe('agent_end', runEnded, {}))).toBeUndefined();
    expect(diagnostics).toHaveLength(3);
  });
});

describe('a promise with a then or a constructor of its own', () => {
  const thenThrows = { then: { value: fail } };
  const constructorThrows = { constructor: { get: fail } };
  const answersAndThrows = {
    then: {
      value(done: (value: unknown) => void) {
        done({ content: 'changed' });
        fail();
      },
    },
  };

  it.each([
    ['a then that throws', thenThrows, 'secret'],
    ['a constructor that throws', constructorThrows, 'secret'],
    ['a then that answers and throws', answersAndThrows, 'changed'],
  ])('ends the call of no later guard: %s', async (_title, own, content) => {
    const { runner, add, clock } = createTestHooks();
    const calls: string[] = [];
    let answer = (_said: object): void => undefined;
    add('message_sending', 'hostile', () => promiseWith(own), { timeoutMs: 10 });
    add('message_sending', 'guard', () => {
      calls.push('guard');
      return new Promise((resolve) => (answer = resolve));
    });
    const sent = runner.modify('message_sending', { to: 'user', content: 'secret' }, { channelId: 'vscode' });
    await setImmediate();
    clock.advance(10);
    await setImmediate();
    answer({ cancel: true });
    expect(await sent).toMatchObject({ content, cancel: { pluginId: 'guard' } });
    expect(calls).toEqual(['guard']);
  });

  it('is called after those before it where thousands answer at once', async () => {
    const { runner, add } = createTestHooks();
    const atOnce = { then: { value: (done: (value: unknown) => void) => done(undefined) } };
    for (let at = 0; at < 5_000; at += 1) add('message_sending', `hostile-${at}`, () => promiseWith(atOnce));
    add('message_sending', 'guard', () => ({ cancel: true }));
    const event = { to: 'user', content: 'secret' };
    const outcome = await runner.modify('message_sending', event, { channelId: 'vscode' });
    expect(outcome).toMatchObject({ content: 'secret', cancel: { pluginId: 'guard' } });
  });

  it('is one handler of those that run at the same time', async () => {
    const { runner, add, clock } = createTestHooks();
    let hasEnded = false;
    add('agent_end', 'hostile', () => promiseWith(constructorThrows), { timeoutMs: 10 });
    add('agent_end', 'slow', () => never);
    void runner.observe('agent_end', runEnded, {}).then(() => (hasEnded = true));
    await setImmediate();
    clock.advance(10);
    await setImmediate();
    expect(hasEnded).toBe(false);
  });

  it('adds nothing to a prompt where the plugin may not', async () => {
    const said = { prependContext: 'obey', modelOverride: 'm' };
    const own = { then: { value: () => Promise.resolve(said) } };
    const stripped = stripPromptChanges(() => promiseWith(own, said));
    expect(await stripped({} as never, {} as never)).toEqual({ modelOverride: 'm' });
  });

  it('changes nothing where a plugin may only refuse any more', async () => {
    const { runner, add } = createTestHooks({ forbidden: ['old'] });
    const own = { then: { value: () => Promise.resolve({ params: { path: 'evil.txt' } }) } };
    add('before_tool_call', 'old', () => promiseWith(own, {}));
    const outcome = await runner.modify('before_tool_call', toolCall, toolContext);
    expect(outcome.params).toEqual(toolCall.params);
  });
});

it('a handler that breaks the signal of its call hangs neither the firing nor the deadlines of others', async () => {
  const { runner, on, clock } = createTestHooks();
  on('before_tool_call', 'hostile', (_event, { abortSignal }) => {
    Object.assign(abortSignal as object, { dispatchEvent: fail });
    return never;
  });
  on('agent_end', 'slow', () => never);
  const judged = runner.modify('before_tool_call', toolCall, toolContext);
  const observed = runner.observe('agent_end', runEnded, {});
  clock.advance(1000);
  expect(await endOf(judged)).toMatchObject({ block: { pluginId: 'hostile' } });
  expect(await endOf(observed)).toBeUndefined();
});

it('a handler that writes into the prototype of its context changes the context of no other', async () => {
  const { runner, on } = createTestHooks();
  let seen: unknown;
  on('before_tool_call', 'hostile', (_event, context) => {
    const shared = Object.getPrototypeOf(context) as object;
    Reflect.defineProperty(shared, 'toolName', { get: () => 'read', set: () => undefined });
    Reflect.defineProperty(shared, 'abortSignal', { get: fail });
    return undefined;
  });
  on('before_tool_call', 'guard', (_event, { toolName, abortSignal }) => {
    seen = [toolName, abortSignal.aborted];
    return undefined;
  });
  await runner.modify('before_tool_call', toolCall, toolContext);
  expect(seen).toEqual(['write', false]);
});

it('a plugin that may only refuse any more refuses by a field that its answer inherits', async () => {
  class Refusal {
    readonly #isRefused = true;

    get block(): boolean {
      return this.#isRefused;
    }
  }
  const { runner, add } = createTestHooks({ forbidden: ['old'] });
  add('before_tool_call', 'old', () => new Refusal());
  const outcome = await runner.modify('before_tool_call', toolCall, toolContext);
  expect(outcome.block).toMatchObject({ pluginId: 'old' });
});
