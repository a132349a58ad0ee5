import type { Diagnostic } from '../contracts/diagnostic.ts';
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openExtensionPoints, readyPlugin, samplePayloads } from '../../test/builders/openExtensionPoints.ts';
import { systemClock } from '../host/node/systemClock.ts';
import { DextoRuntimeError } from './dextoErrors.ts';
import type { DextoPlugin, ExtensionPoint } from './dextoTypes.ts';

const points = ['beforeLLMRequest', 'beforeToolCall', 'afterToolResult', 'beforeResponse'] as const;

/** A plugin whose method at each point is this. */
function everywhere(
  method: (payload: never, context: { abortSignal?: AbortSignal }) => unknown,
): DextoPlugin {
  return Object.fromEntries(points.map((point) => [point, method]));
}

const answering = (answer: unknown): DextoPlugin => everywhere(() => answer);

/** Blocks, so that a test sees that it was asked. */
const last = readyPlugin('last', answering({ ok: true, cancel: true }));

/** What a call of `faulty` must come to. */
function outcomeOf(blocking: boolean) {
  return { outcome: 'blocked', pluginId: blocking ? 'faulty' : 'last' };
}

const everyPoint = points.flatMap((point) => [[point, true] as const, [point, false] as const]);

describe.each(everyPoint)('at %s, blocking: %j', (point, blocking) => {
  const thrown: readonly (readonly [string, () => unknown])[] = [
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
    [
      'throws what is no error',
      () => {
        throw 'boom' as unknown as Error;
      },
    ],
    ['returns undefined', () => undefined],
    ['resolves to undefined', () => Promise.resolve()],
    ['returns null', () => null],
    ['returns a text', () => 'fine'],
    ['returns a list', () => [{ ok: true }]],
    ['returns a modify that is no object', () => ({ ok: true, modify: 'text' })],
    [
      'returns a getter that throws',
      () => ({
        get ok() {
          throw new Error('boom');
        },
      }),
    ],
    ['returns a modify that holds itself', () => ({ ok: true, modify: cycle() })],
  ];
  it.each(thrown)('a plugin that %s stops it only where it is blocking', async (_what, method) => {
    const { run, steps, log } = openExtensionPoints([
      readyPlugin('faulty', everywhere(method), { blocking }),
      last,
    ]);
    const faulty = await run(point);
    expect(faulty).toMatchObject(outcomeOf(blocking));
    expect(faulty.payload).toEqual(samplePayloads[point]);
    expect(steps[0]).toMatchObject({ pluginId: 'faulty', outcome: 'failed' });
    expect(log.lines.map(({ level }) => level)).toContain('error');
  });

  it('a plugin that takes too long stops it only where it is blocking; its signal aborts', async () => {
    let signal: AbortSignal | undefined;
    const slow = everywhere((_payload, context) => {
      signal = context.abortSignal;
      return new Promise(() => undefined);
    });
    const plugin = readyPlugin('faulty', slow, { blocking, timeoutMs: 20 });
    const { run, clock, steps, profileOf } = openExtensionPoints([plugin, last]);
    const running = run(point);
    clock.advance(19);
    expect(signal?.aborted).toBe(false);
    clock.advance(1);
    const outcome = await running;
    expect(outcome).toMatchObject(outcomeOf(blocking));
    if (outcome.outcome === 'blocked' && blocking)
      expect(outcome.message).toMatch(/^The plugin faulty took longer than 20 ms, so the .*\.$/u);
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toMatchObject({ code: 'PLUGIN_EXECUTION_TIMEOUT' });
    expect(steps[0]).toMatchObject({
      outcome: 'timed-out',
      durationMs: 20,
      error: 'It took longer than 20 ms.',
    });
    expect(profileOf(plugin)).toMatchObject({
      points: [{ calls: 1, timedOut: 1, failed: 0, max: 20 }],
      lastFailure: { point, message: 'It took longer than 20 ms.' },
    });
  });

  it.each([
    [
      'an answer',
      { ok: true, cancel: true, modify: { args: 'late', text: 'late', result: 'late', content: 'late' } },
    ],
    ['an error', new Error('late')],
  ])('drops %s that comes too late', async (_what, late) => {
    let answer: (value: unknown) => void = () => undefined;
    const plugin = readyPlugin(
      'faulty',
      everywhere(
        () =>
          new Promise((resolve, reject) => {
            answer = late instanceof Error ? () => reject(late) : resolve;
          }),
      ),
      { blocking, timeoutMs: 20 },
    );
    const { run, clock, steps, profileOf } = openExtensionPoints([plugin]);
    const running = run(point);
    clock.advance(20);
    answer(late);
    const outcome = await running;
    expect(outcome).toMatchObject({ outcome: blocking ? 'blocked' : 'passed' });
    expect(outcome.payload).toEqual(samplePayloads[point]);
    expect(steps).toHaveLength(1);
    expect(profileOf(plugin).points[0]).toMatchObject({ calls: 1, failed: 0, changed: 0 });
  });

  it('rejects at once where the turn is cancelled, and aborts the signal with its reason', async () => {
    const turn = new AbortController();
    let signal: AbortSignal | undefined;
    const { run, steps } = openExtensionPoints([
      readyPlugin(
        'faulty',
        everywhere((_payload, context) => {
          signal = context.abortSignal;
          return new Promise(() => undefined);
        }),
        { blocking },
      ),
    ]);
    const running = run(point, undefined, turn.signal);
    turn.abort('the user');
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(signal?.reason).toBe('the user');
    expect(steps).toMatchObject([{ pluginId: 'faulty', outcome: 'cancelled' }]);
  });

  it('asks nobody in a turn that has been cancelled, nor after one who answered it', async () => {
    const turn = new AbortController();
    const first = readyPlugin(
      'faulty',
      everywhere(() => (turn.abort(), { ok: true })),
      { blocking },
    );
    const { run, steps } = openExtensionPoints([first, last]);
    await expect(run(point, undefined, turn.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(steps.map(({ pluginId }) => pluginId)).toEqual(['faulty']);
    await expect(run(point, undefined, turn.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(steps).toHaveLength(1);
  });
});

it('leaves nothing behind at the signal of the turn: a long turn has many calls', async () => {
  const turn = new AbortController();
  const { run } = openExtensionPoints([
    readyPlugin(
      'quick',
      everywhere(() => Promise.resolve({ ok: true })),
    ),
  ]);
  await run('beforeToolCall', undefined, turn.signal);
  expect(getEventListeners(turn.signal, 'abort')).toEqual([]);
});

it('stops at a blocking plugin that can be given no copy of what is too deep', async () => {
  const { run } = openExtensionPoints([readyPlugin('faulty', answering({ ok: true }))]);
  const args = cycle();
  expect(await run('beforeToolCall', { toolName: 'write', args })).toMatchObject({
    outcome: 'blocked',
    message:
      'The plugin faulty failed, so the call was not carried out: the data is nested deeper than 100 levels',
  });
});

describe('modify', () => {
  const image = { image: 'AAAA', mimeType: 'image/png' };
  const file = { data: 'AAAA', mimeType: 'text/csv', filename: 'a.csv' };
  const fields: readonly (readonly [ExtensionPoint, string, unknown])[] = [
    ['beforeLLMRequest', 'text', 'Other.'],
    ['beforeLLMRequest', 'imageData', image],
    ['beforeLLMRequest', 'fileData', file],
    ['beforeToolCall', 'args', { path: 'b.txt' }],
    ['afterToolResult', 'result', { lines: 3 }],
    ['afterToolResult', 'success', false],
    ['beforeResponse', 'content', 'At seven.'],
    ['beforeResponse', 'reasoning', 'The moon.'],
  ];
  it.each(fields)('at %s replaces %s', async (point, field, value) => {
    const { run, steps } = openExtensionPoints([
      readyPlugin('changer', answering({ ok: true, modify: { [field]: value } })),
    ]);
    expect(await run(point)).toEqual({
      outcome: 'passed',
      payload: { ...samplePayloads[point], [field]: value },
    });
    expect(steps[0]).toMatchObject({ outcome: 'changed' });
  });

  const fixed: readonly (readonly [ExtensionPoint, string])[] = [
    ['beforeLLMRequest', 'sessionId'],
    ['beforeToolCall', 'toolName'],
    ['beforeToolCall', 'callId'],
    ['afterToolResult', 'toolName'],
    ['beforeResponse', 'sessionId'],
    ['beforeResponse', 'provider'],
    ['beforeResponse', 'model'],
    ['beforeResponse', 'router'],
    ['beforeResponse', 'tokenUsage'],
  ];
  it.each(fixed)(
    'at %s leaves %s as it is, and reports it with what can be changed',
    async (point, field) => {
      const { reports, payload } = await changeOne(point, field);
      expect(payload).toEqual(samplePayloads[point]);
      expect(reports).toMatchObject([
        {
          level: 'warn',
          pluginId: 'dexto:changer',
          message: `plugin 'changer' at ${point}: modify.${field} can not be changed, so it is ignored; the rest counts`,
          hint: expect.stringContaining(`What ${point} can change: `) as unknown,
        },
      ]);
    },
  );

  it('reports a field that the point does not have, with the one that was meant', async () => {
    const { reports, payload } = await changeOne('beforeLLMRequest', 'txet');
    expect(payload).toEqual(samplePayloads.beforeLLMRequest);
    expect(reports).toMatchObject([
      {
        message: expect.stringContaining('modify.txet is no field of beforeLLMRequest') as unknown,
        hint: 'Did you mean text? What beforeLLMRequest can change: text, imageData, fileData.',
      },
    ]);
  });

  async function changeOne(
    point: ExtensionPoint,
    field: string,
  ): Promise<{ reports: readonly Diagnostic[]; payload: unknown }> {
    const reports: Diagnostic[] = [];
    const { run } = openExtensionPoints(
      [readyPlugin('changer', answering({ ok: true, modify: { [field]: 'other' } }))],
      { report: (diagnostic) => void reports.push(diagnostic) },
    );
    return { payload: (await run(point)).payload, reports };
  }

  const wrong: readonly (readonly [ExtensionPoint, Record<string, unknown>])[] = [
    ['beforeLLMRequest', { text: 42 }],
    ['beforeLLMRequest', { text: undefined }],
    ['beforeLLMRequest', { imageData: 'AAAA' }],
    ['afterToolResult', { success: 'yes' }],
    ['beforeResponse', { content: null }],
  ];
  it.each(wrong)('at %s counts %j as a failure', async (point, modify) => {
    const plugin = readyPlugin('changer', answering({ ok: true, modify }));
    const { run, profileOf } = openExtensionPoints([plugin]);
    const outcome = await run(point);
    expect(outcome).toMatchObject({ outcome: 'blocked', pluginId: 'changer' });
    expect(outcome.payload).toEqual(samplePayloads[point]);
    const [field = ''] = Object.keys(modify);
    expect(profileOf(plugin).lastFailure?.message).toContain(`modify.${field}`);
  });

  it.each([
    ['in JSON', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"text":"x"}'],
    ['below a field', '{"args":{"__proto__":{"polluted":true},"list":[{"__proto__":{"polluted":true}}]}}'],
  ])('reaches no prototype: %s', async (_where, json) => {
    const modify: unknown = JSON.parse(json);
    const { run } = openExtensionPoints([readyPlugin('polluter', answering({ ok: true, modify }))]);
    const { payload } = await run('beforeToolCall');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(JSON.stringify(payload)).not.toContain('polluted');
    const args = payload.args as { list?: object[] };
    // However carelessly it is merged later.
    expect(Object.assign({}, payload, args, args.list?.[0])).not.toHaveProperty('polluted');
  });

  it('reaches no prototype: as the prototype of a literal', async () => {
    const modify = { __proto__: { args: 'inherited' } };
    const { run } = openExtensionPoints([readyPlugin('polluter', answering({ ok: true, modify }))]);
    expect((await run('beforeToolCall')).payload).toEqual(samplePayloads.beforeToolCall);
  });

  it('passes 10 MB on, as a text and as data, before the usual 5 s are over', async () => {
    const text = 'x'.repeat(10 * 1024 * 1024);
    const rows = Array.from({ length: 100_000 }, (_each, at) => ({ at, text: 'x'.repeat(90) }));
    const echo = readyPlugin('echo', {
      afterToolResult: async () => {
        await Promise.resolve();
        return { ok: true, modify: { result: rows.map((row) => ({ ...row, text: 'y' })) } };
      },
      beforeResponse: async ({ content }) => {
        await Promise.resolve();
        return { ok: true, modify: { content: `${content}!` } };
      },
    });
    const second = readyPlugin('second', answering({ ok: true }));
    const { run, steps } = openExtensionPoints([echo, second], { clock: systemClock });
    const answer = await run('beforeResponse', { content: text, provider: 'p' });
    const result = await run('afterToolResult', { toolName: 'read', result: rows, success: true });
    expect([answer.outcome, result.outcome]).toEqual(['passed', 'passed']);
    expect(answer.payload.content).toHaveLength(text.length + 1);
    expect(result.payload.result).toHaveLength(rows.length);
    expect(JSON.stringify(steps).length).toBeLessThan(10_000);
  });
});

function cycle(): Record<string, unknown> {
  const self: Record<string, unknown> = {};
  for (const field of ['self', 'text', 'args', 'result', 'content']) self[field] = self;
  return self;
}

const fail = (): never => {
  throw new Error('hostile');
};

describe.each([
  ['proxy', () => new Proxy(new DextoRuntimeError('x', { type: 'PLUGIN_LOAD_FAILED' }), { get: fail })],
  ['code that throws', () => runtimeErrorWith({ code: { get: fail } })],
  ['code that is no text', () => runtimeErrorWith({ code: { value: { toString: fail } } })],
])('an error of the dialect: a %s', (_title, make) => {
  it.each([true, false])('stops what it may: blocking %s', async (blocking) => {
    for (const point of points) {
      const thrower = readyPlugin('thrower', { [point]: () => Promise.reject(make()) }, { blocking });
      const { run, steps } = openExtensionPoints([thrower]);
      const { outcome } = await run(point);
      expect(outcome).toBe(blocking ? 'blocked' : 'passed');
      expect(steps).toMatchObject([{ outcome: 'failed', code: 'PLUGIN_EXECUTION_FAILED' }]);
    }
  });
});

function runtimeErrorWith(own: PropertyDescriptorMap): Error {
  const error = new DextoRuntimeError('x', { type: 'PLUGIN_LOAD_FAILED' });
  return Object.defineProperties(error, own);
}
