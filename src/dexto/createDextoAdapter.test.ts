import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../test/builders/manualClock.ts';
import {
  openExtensionPoints,
  readyPlugin,
  sampleCall,
  samplePayloads,
} from '../../test/builders/openExtensionPoints.ts';
import { createHookRegistry, createHookRunner } from '../hooks/hookRunner.ts';
import type { DextoPlugin, PluginResult } from './dextoTypes.ts';
import { extensionPoints } from './pointRules.ts';

const answering = (answer: unknown): DextoPlugin => ({
  beforeToolCall: () => answer as PluginResult,
});

describe('passing a payload on', () => {
  it('gives the payload itself back where nobody listens', async () => {
    const { points, run } = openExtensionPoints([
      readyPlugin('llm', { beforeLLMRequest: () => ({ ok: true }) }),
    ]);
    expect(points.has('beforeToolCall')).toBe(false);
    expect(points.has('beforeLLMRequest')).toBe(true);
    const outcome = await run('beforeToolCall');
    expect(outcome).toEqual({ outcome: 'passed', payload: samplePayloads.beforeToolCall });
    expect(outcome.payload).toBe(samplePayloads.beforeToolCall);
  });

  it('asks in the order of the list, each with what those before it changed', async () => {
    const seen: string[] = [];
    const adding = (letter: string) =>
      readyPlugin(letter, {
        beforeLLMRequest: async ({ text }) => {
          seen.push(text);
          return Promise.resolve({ ok: true, modify: { text: `${text}${letter}` } });
        },
      });
    const { run } = openExtensionPoints([adding('a'), adding('b'), adding('c')]);
    const outcome = await run('beforeLLMRequest', { text: '' });
    expect(seen).toEqual(['', 'a', 'ab']);
    expect(outcome).toEqual({ outcome: 'passed', payload: { text: 'abc' } });
  });

  it('calls the method on its own object, with the context of the call', async () => {
    class Counter {
      readonly seen: unknown[] = [];
      beforeToolCall(_payload: object, { sessionId }: { sessionId?: string }): PluginResult {
        this.seen.push(sessionId);
        return { ok: true };
      }
    }
    const counter = new Counter();
    await openExtensionPoints([readyPlugin('counter', counter)]).run('beforeToolCall');
    expect(counter.seen).toEqual(['s1']);
  });

  it('gives each plugin a copy: what it does to its payload reaches nobody', async () => {
    let seen: unknown;
    const { run } = openExtensionPoints([
      readyPlugin('rude', {
        beforeToolCall: (payload) => {
          (payload.args as { lines: string[] }).lines.push('two');
          payload.toolName = 'exec';
          return { ok: true };
        },
      }),
      readyPlugin('next', {
        beforeToolCall: (payload) => {
          seen = payload;
          return { ok: true };
        },
      }),
    ]);
    await run('beforeToolCall');
    expect(seen).toEqual(samplePayloads.beforeToolCall);
    expect(samplePayloads.beforeToolCall.args).toEqual({ path: 'a.txt', lines: ['one'] });
  });

  it('reads every answer: a promise with a then of its own gets past nothing', async () => {
    const evil = {
      modify: { toolName: 'exec' },
      block: { message: 'no', notices: [], code: 'X', httpStatus: 1 },
    };
    const own = { then: () => Promise.resolve(evil) };
    const { run } = openExtensionPoints([
      readyPlugin('sly', answering(Object.assign(Promise.resolve({ ok: true }), own)), { blocking: false }),
    ]);
    expect(await run('beforeToolCall')).toEqual({
      outcome: 'passed',
      payload: samplePayloads.beforeToolCall,
    });
  });

  it('takes nothing that is nested too deep to be shown to those behind it', async () => {
    let args: object = {};
    for (let depth = 0; depth < 100; depth += 1) args = { args };
    let asked = 0;
    const { run } = openExtensionPoints([
      readyPlugin('deep', answering({ ok: true, modify: { args } }), { blocking: false }),
      readyPlugin('guard', { beforeToolCall: () => ({ ok: (asked += 1) > 0 }) }, { blocking: false }),
    ]);
    await run('beforeToolCall');
    expect(asked).toBe(1);
  });

  it('keeps a copy of what a plugin gave: it can change nothing afterwards', async () => {
    const args = { path: 'safe.txt' };
    const { run } = openExtensionPoints([
      readyPlugin('sly', answering({ ok: true, modify: { args } })),
      readyPlugin('later', {
        beforeToolCall: () => {
          args.path = '/etc/passwd';
          return { ok: true };
        },
      }),
    ]);
    expect((await run('beforeToolCall')).payload.args).toEqual({ path: 'safe.txt' });
  });

  it('keeps the list that a point began with, though plugins are swapped meanwhile', async () => {
    let list = [
      readyPlugin('first', {
        beforeToolCall: () => {
          list = [];
          return { ok: true };
        },
      }),
      readyPlugin('second', answering({ ok: true, cancel: true })),
    ];
    const { run } = openExtensionPoints(() => list);
    expect((await run('beforeToolCall')).outcome).toBe('blocked');
    expect((await run('beforeToolCall')).outcome).toBe('passed');
  });
});

/** What a plugin may answer: answer, blocking, what becomes of it, whether `modify` counts, trace. */
const table = [
  [{ ok: true }, true, 'passed', true, 'changed'],
  [{ ok: true }, false, 'passed', true, 'changed'],
  [{ ok: false }, true, 'passed', false, 'declined'],
  [{ ok: false }, false, 'passed', false, 'declined'],
  [{ ok: false, cancel: true }, true, 'blocked', false, 'blocked'],
  [{ ok: false, cancel: true }, false, 'passed', false, 'ignored'],
  [{ ok: true, cancel: true }, true, 'blocked', true, 'blocked'],
  [{ ok: true, cancel: true }, false, 'passed', true, 'ignored'],
  [{}, true, 'passed', false, 'declined'],
  [{ cancel: true }, true, 'blocked', false, 'blocked'],
] as const;

describe.each([
  ['at once', <T>(value: T): T => value],
  ['by a promise', <T>(value: T): T => Promise.resolve(value) as T],
])('an answer that comes %s', (_how, answer) => {
  it.each(table)('%j, blocking: %j', async (result, blocking, outcome, isApplied, traced) => {
    const asked: string[] = [];
    const said = { ...result, modify: { args: { path: 'b.txt' } }, message: 'Why.' };
    const { run, steps } = openExtensionPoints([
      readyPlugin('judge', answering(answer(said)), { blocking }),
      readyPlugin('next', {
        beforeToolCall: () => {
          asked.push('next');
          return { ok: true };
        },
      }),
    ]);
    const given = await run('beforeToolCall');
    expect(given.outcome).toBe(outcome);
    expect((given.payload.args as { path: string }).path).toBe(isApplied ? 'b.txt' : 'a.txt');
    expect(asked).toEqual(outcome === 'blocked' ? [] : ['next']);
    if (given.outcome === 'blocked') expect(given).toMatchObject({ pluginId: 'judge', message: 'Why.' });
    expect(steps[0]).toMatchObject({ pluginId: 'judge', blocking, outcome: traced });
  });
});

it('names the plugin where it blocks without a word', async () => {
  const { run } = openExtensionPoints([
    readyPlugin('mute', answering({ ok: false, cancel: true, message: ' ' })),
  ]);
  expect(await run('beforeToolCall')).toMatchObject({ message: 'The plugin mute stopped this.' });
});

it('takes the secrets of a plugin and what forges text out of its words', async () => {
  const { run, log, steps } = openExtensionPoints([
    readyPlugin(
      'leaky',
      answering({
        ok: false,
        cancel: true,
        message: 'key hunter2\u202E\nnext',
        notices: [
          { kind: 'block', code: 'hunter2', message: 'hunter2\nforged', details: { at: ['hunter2'] } },
        ],
      }),
      { redact: (text) => text.replaceAll('hunter2', '***') },
    ),
  ]);
  const outcome = await run('beforeToolCall');
  expect(outcome).toMatchObject({
    message: 'key ***\nnext',
    notices: [{ kind: 'block', code: '***', message: '*** forged', details: { at: ['***'] } }],
  });
  expect(JSON.stringify([log.lines, steps])).not.toContain('hunter2');
});

describe('what is told', () => {
  it('logs each call with plugin, point, duration and ok, at debug', async () => {
    const { run, log } = openExtensionPoints([readyPlugin('quiet', answering({ ok: true }))]);
    await run('beforeToolCall');
    expect(log.lines).toEqual([
      { level: 'debug', message: 'Dexto plugin quiet at beforeToolCall: ok true, nothing, 0.00 ms' },
    ]);
  });

  it.each([
    ['block', 'warn'],
    ['warn', 'warn'],
    ['allow', 'info'],
    ['info', 'info'],
    ['unheard-of', 'info'],
  ])('logs a notice of kind %s at %s', async (kind, level) => {
    const notice = { kind, code: 'A_CODE', message: 'Words.' };
    const { run, log, notices, steps } = openExtensionPoints([
      readyPlugin('teller', answering({ ok: true, notices: [notice] })),
    ]);
    await run('beforeToolCall');
    const known = kind === 'unheard-of' ? 'info' : kind;
    expect(log.lines.slice(1)).toEqual([
      { level, message: `Dexto plugin teller at beforeToolCall, ${known}: A_CODE: Words.` },
    ]);
    expect(notices).toMatchObject([{ pluginId: 'teller', notice: { kind: known, code: 'A_CODE' } }]);
    expect(steps[0]?.notices).toEqual([{ kind: known, code: 'A_CODE', message: 'Words.' }]);
  });

  it.each([
    [{ ok: true }, 'passed'],
    [{ ok: false }, 'passed'],
    [{ ok: true, cancel: true }, 'blocked'],
    [{ ok: false, cancel: true }, 'blocked'],
  ] as const)('tells notices whatever the answer is: %j', async (result, outcome) => {
    const said = { ...result, notices: [{ kind: 'warn', message: 'Words.' }] };
    const { run, notices } = openExtensionPoints([readyPlugin('teller', answering(said))]);
    expect((await run('beforeToolCall')).outcome).toBe(outcome);
    expect(notices).toHaveLength(1);
  });

  it('traces a change of parameters by its values, one of the conversation by its size', async () => {
    const { run, steps } = openExtensionPoints([
      readyPlugin('changer', {
        beforeLLMRequest: () => ({ ok: true, modify: { text: 'secret' } }),
        ...answering({ ok: true, modify: { args: { path: 'b.txt', lines: ['one'] } } }),
        beforeResponse: () => ({ ok: true, modify: { content: 'hidden' } }),
      }),
    ]);
    await run('beforeToolCall');
    await run('beforeLLMRequest');
    await run('beforeResponse');
    expect(steps.map((step) => step.changes)).toEqual([
      [{ path: 'args.path', before: 'a.txt', after: 'b.txt' }],
      [{ path: 'text', before: '24 characters', after: '6 characters', isHidden: true }],
      [{ path: 'content', before: '7 characters', after: '6 characters', isHidden: true }],
    ]);
  });

  it.each(['beforeLLMRequest', 'beforeResponse'] as const)(
    'writes nothing of what was blocked at %s down but the codes',
    async (point) => {
      const { run, log, steps, notices } = openExtensionPoints([
        readyPlugin('gate', {
          [point]: () => ({
            ok: false,
            cancel: true,
            message: 'You wrote hunter2.',
            notices: [{ kind: 'block', code: 'NO', message: 'hunter2', details: { text: 'hunter2' } }],
          }),
        }),
      ]);
      expect(await run(point)).toMatchObject({
        message: 'You wrote hunter2.',
        notices: [{ kind: 'block', code: 'NO', message: 'hunter2' }],
      });
      expect(JSON.stringify([log.lines, steps, notices])).not.toContain('hunter2');
      expect(steps[0]).toMatchObject({
        outcome: 'blocked',
        notices: [{ kind: 'block', code: 'NO', message: '' }],
      });
      expect(log.lines.at(-1)).toEqual({
        level: 'warn',
        message: `Dexto plugin gate at ${point}, block: NO`,
      });
    },
  );

  it('keeps the words of a failure out of log, trace and answer where they may quote the conversation', async () => {
    const failing = readyPlugin('sloppy', {
      beforeLLMRequest: ({ text }) => {
        throw new Error(`can't parse ${text}`);
      },
    });
    const { run, log, steps, profileOf } = openExtensionPoints([failing]);
    const outcome = await run('beforeLLMRequest', { text: 'hunter2' });
    expect(outcome).toMatchObject({
      message: 'The plugin sloppy failed, so the message was not sent: Error',
    });
    expect(JSON.stringify([log.lines, steps])).not.toContain('hunter2');
    // For the person who looks for the fault, and in memory alone.
    expect(profileOf(failing).lastFailure?.message).toBe("can't parse hunter2");
  });
});

it('profiles each plugin by itself, and a plugin that is loaded anew from the start', async () => {
  const teller = answering({ ok: true, cancel: true, notices: [{ kind: 'info', message: 'Hi.' }] });
  const [old, fresh] = [readyPlugin('a', teller, { blocking: false }), readyPlugin('a', teller)];
  const { run, profileOf } = openExtensionPoints(() => [old]);
  await run('beforeToolCall');
  await run('beforeToolCall');
  expect(profileOf(old)).toMatchObject({
    points: [{ point: 'beforeToolCall', calls: 2, changed: 0, blocked: 0, failed: 0, timedOut: 0 }],
    notices: [
      { kind: 'info', message: 'Hi.', point: 'beforeToolCall', at: 1_000 },
      { kind: 'info', message: 'Hi.', point: 'beforeToolCall', at: 1_000 },
    ],
  });
  expect(profileOf(fresh)).toEqual({ points: [], notices: [] });
});

it('a plugin is called where another one of its name is forbidden', async () => {
  const { source } = openExtensionPoints([
    readyPlugin('guard', { beforeToolCall: () => ({ ok: false, cancel: true }) }),
  ]);
  const registry = createHookRegistry();
  registry.provide(extensionPoints, source);
  const runner = createHookRunner({
    registry,
    clock: createManualClock(),
    report: () => undefined,
    forbidden: () => new Set(['guard']),
  });
  const { block } = await runner.modify(
    'beforeToolCall',
    samplePayloads.beforeToolCall,
    sampleCall('beforeToolCall'),
  );
  expect(block).toMatchObject({ pluginId: 'guard' });
});
