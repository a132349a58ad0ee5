import { describe, expect, it } from 'vitest';
import type { Model, ModelEvent, ModelInfo } from '../../contracts/model.ts';
import { modelFailure } from '../modelFailure.ts';
import { createFallbackModel } from './createFallbackModel.ts';

const text: ModelEvent = { type: 'text', text: 'hi' };
const done: ModelEvent = { type: 'done', stopReason: 'stop' };
const failure = (code: string): Error => modelFailure(code, `${code}.`, { hint: 'Do.' });

interface Scripted extends Model {
  readonly asked: () => number;
}

/** Gives the steps of its tries, one after the other; the last stays. */
function model(
  name: string,
  contextWindow: number,
  ...tries: readonly (readonly (ModelEvent | Error)[])[]
): Scripted {
  const info: ModelInfo = {
    provider: 'p',
    model: name,
    name,
    contextWindow,
    maxOutputTokens: 1,
    toolCalling: true,
  };
  let asked = 0;
  return {
    info,
    asked: () => asked,
    async *stream() {
      const steps = tries[Math.min(asked, tries.length - 1)] ?? [];
      asked += 1;
      for (const step of steps) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  };
}

async function read(chain: Model, signal = new AbortController().signal): Promise<unknown[]> {
  const events: unknown[] = [];
  try {
    for await (const event of chain.stream({ systemPrompt: '', messages: [], tools: [], signal }))
      events.push(event);
  } catch (error) {
    events.push(error);
  }
  return events;
}

const fallback = (to: Model, code: string): unknown => ({
  type: 'fallback',
  to: to.info,
  because: { code, message: `${code}.` },
});

describe('createFallbackModel', () => {
  it('is the first model as long as that answers', async () => {
    const first = model('a', 10, [text, done]);
    const second = model('b', 10, [text, done]);
    const chain = createFallbackModel([first, second]);
    expect(await read(chain)).toEqual([text, done]);
    expect([chain.info, second.asked()]).toEqual([first.info, 0]);
  });

  it.each([
    'model_no_key',
    'model_unauthorized',
    'model_quota',
    'model_rate_limited',
    'model_timeout',
    'model_offline',
    'model_unavailable',
    'model_gone',
    'model_malformed',
  ])('asks the next model after %s, and names it before its answer', async (code) => {
    const second = model('b', 10, [text, done]);
    const chain = createFallbackModel([model('a', 10, [failure(code)]), second]);
    expect(await read(chain)).toEqual([fallback(second, code), text, done]);
  });

  it.each(['model_refused', 'model_aborted', 'cancelled'])('asks nobody else after %s', async (code) => {
    const fault = failure(code);
    const second = model('b', 10, [done]);
    expect(await read(createFallbackModel([model('a', 10, [fault]), second]))).toEqual([fault]);
    expect(second.asked()).toBe(0);
  });

  it('asks nobody else once something of the answer was there', async () => {
    const fault = failure('model_malformed');
    const second = model('b', 10, [done]);
    expect(await read(createFallbackModel([model('a', 10, [text, fault]), second]))).toEqual([text, fault]);
    expect(second.asked()).toBe(0);
  });

  it('gives a conversation that is too long only to a model that reads more', async () => {
    const small = model('b', 10, [done]);
    const large = model('c', 20, [done]);
    const chain = createFallbackModel([model('a', 10, [failure('model_context_overflow')]), small, large]);
    expect(await read(chain)).toEqual([fallback(large, 'model_context_overflow'), done]);
    expect(small.asked()).toBe(0);
  });

  it('passes on the retries of a model that then gives up', async () => {
    const retry: ModelEvent = {
      type: 'retry',
      attempt: 1,
      waitMs: 5,
      because: { code: 'model_offline', message: 'model_offline.' },
    };
    const second = model('b', 10, [done]);
    const chain = createFallbackModel([model('a', 10, [retry, failure('model_offline')]), second]);
    expect(await read(chain)).toEqual([retry, fallback(second, 'model_offline'), done]);
  });

  it('stays with the model that stood in, and names it before each answer', async () => {
    const first = model('a', 10, [failure('model_quota')]);
    const second = model('b', 10, [done]);
    const chain = createFallbackModel([first, second]);
    await read(chain);
    expect(await read(chain)).toEqual([fallback(second, 'model_quota'), done]);
    expect(first.asked()).toBe(1);
  });

  it('fails as the last one failed', async () => {
    const last = failure('model_gone');
    const chain = createFallbackModel([model('a', 10, [failure('model_quota')]), model('b', 10, [last])]);
    expect((await read(chain)).at(-1)).toBe(last);
  });

  it('asks nobody else once the request was aborted', async () => {
    const fault = failure('model_offline');
    const second = model('b', 10, [done]);
    expect(await read(createFallbackModel([model('a', 10, [fault]), second]), AbortSignal.abort())).toEqual([
      fault,
    ]);
    expect(second.asked()).toBe(0);
  });
});
