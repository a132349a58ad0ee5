import { describe, expect, it } from 'vitest';
import type { Model, ModelEvent } from '../../contracts/model.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { modelFailure } from '../modelFailure.ts';
import { createRetryingModel, describeWait, decideRetry } from './createRetryingModel.ts';

const text: ModelEvent = { type: 'text', text: 'hi' };
const done: ModelEvent = { type: 'done', stopReason: 'stop' };
const failure = (code: string, retryAfterMs?: number): Error =>
  modelFailure(code, `${code}.`, { hint: 'Do.', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

type Try = readonly (ModelEvent | Error)[];

/** A model whose tries go as written; the time of each is kept. */
function open(...tries: readonly Try[]) {
  const clock = createManualClock();
  const at: number[] = [];
  const model: Model = {
    info: { provider: 'p', model: 'm', name: 'M', contextWindow: 1, maxOutputTokens: 1, toolCalling: true },
    async *stream() {
      const steps = tries[at.length] ?? [];
      at.push(clock.now());
      for (const step of steps) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  };
  const abort = new AbortController();
  const retrying = createRetryingModel(model, { clock, random: () => 1 });
  const request = { systemPrompt: '', messages: [], tools: [], signal: abort.signal };
  const read = async (): Promise<unknown[]> => {
    const events: unknown[] = [];
    try {
      for await (const event of retrying.stream(request)) {
        events.push(event);
        // The pause begins once the reader asks for more.
        if (event.type === 'retry') setImmediate(() => clock.advance(event.waitMs));
      }
    } catch (error) {
      events.push(error);
    }
    return events;
  };
  return { clock, at, abort, retrying, request, read };
}

const retry = (code: string, attempt: number, waitMs: number): unknown => ({
  type: 'retry',
  attempt,
  waitMs,
  because: { code, message: `${code}.` },
});

describe('createRetryingModel', () => {
  it('asks again with doubling pauses and shows each, at most four times', async () => {
    const fault = [failure('model_unavailable')];
    const { read, at } = open(fault, fault, fault, fault, [text, done]);
    expect(await read()).toEqual([
      retry('model_unavailable', 1, 500),
      retry('model_unavailable', 2, 1_000),
      retry('model_unavailable', 3, 2_000),
      fault[0],
    ]);
    expect(at).toEqual([0, 500, 1_500, 3_500]);
  });

  it('gives the answer of the try that succeeds', async () => {
    const { read } = open([failure('model_timeout')], [text, done]);
    expect(await read()).toEqual([retry('model_timeout', 1, 500), text, done]);
  });

  it('waits exactly as long as the server asks, up to a minute', async () => {
    const { read, at } = open([failure('model_rate_limited', 60_000)], [done]);
    await read();
    expect(at).toEqual([0, 60_000]);
  });

  it('does not wait longer than a minute, but says when to try again', async () => {
    const { read, at } = open([failure('model_rate_limited', 61_000)], [done]);
    expect(await read()).toEqual([
      expect.objectContaining({
        code: 'model_rate_limited',
        retryAfterMs: 61_000,
        hint: 'It can be asked again in 61 s. Until then choose another model.',
      }),
    ]);
    expect(at).toHaveLength(1);
  });

  it('never repeats what was shown: a failure within the answer passes through', async () => {
    const fault = failure('model_unavailable');
    const { read, at } = open([text, fault], [text, done]);
    expect(await read()).toEqual([text, fault]);
    expect(at).toHaveLength(1);
  });

  it('ends the pause at once when the request is aborted', async () => {
    const { clock, abort, retrying, request, at } = open([failure('model_offline')], [done]);
    const events = retrying.stream(request)[Symbol.asyncIterator]();
    await events.next();
    const next = events.next();
    abort.abort();
    await expect(next).rejects.toMatchObject({ code: 'model_aborted' });
    clock.advance(60_000);
    expect(at).toHaveLength(1);
  });

  it('lets errors through that no model throws', async () => {
    const fault = new TypeError('a bug');
    expect(await open([fault], [done]).read()).toEqual([fault]);
  });
});

describe('decideRetry', () => {
  it.each(['model_rate_limited', 'model_unavailable', 'model_offline', 'model_timeout'])(
    'retries %s',
    (code) => {
      expect(decideRetry({ code, attempt: 1, random: 0.5 })).toEqual({ kind: 'retry', waitMs: 250 });
    },
  );

  it.each([
    'model_no_key',
    'model_unauthorized',
    'model_quota',
    'model_gone',
    'model_refused',
    'model_malformed',
    'model_context_overflow',
    'model_aborted',
    'cancelled',
  ])('does not retry %s', (code) => {
    expect(decideRetry({ code, attempt: 1, random: 0.5 })).toEqual({ kind: 'fail' });
  });

  it('says of a spent quota when it comes back', () => {
    expect(decideRetry({ code: 'model_quota', attempt: 1, retryAfterMs: 7_200_000, random: 0 })).toEqual({
      kind: 'fail-until',
      waitMs: 7_200_000,
    });
  });
});

it.each([
  [900, '1 s'],
  [119_000, '119 s'],
  [120_000, '2 min'],
  [7_200_000, '2 h'],
  [172_800_000, '2 days'],
])('describeWait says %d ms as %s', (ms, said) => expect(describeWait(ms)).toBe(said));
