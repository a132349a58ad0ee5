import { beforeEach, describe, expect, it } from 'vitest';
import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import { createManualClock, type ManualClock } from '../../../test/builders/manualClock.ts';
import {
  createEmbeddingRun,
  type EmbeddedTask,
  type EmbeddingRun,
  type EmbeddingTask,
} from './createEmbeddingRun.ts';
import { type Embedder, embeddingFailed, embeddingRefused } from './embedder.ts';

let clock: ManualClock;
/** Texts that have a vector. */
let embedded: Set<string>;
/** The texts of each batch that was asked for. */
let asked: string[][];
let fault: (texts: readonly string[]) => Error | undefined;
/** Answers wait for it. */
let gate: Promise<void>;
let run: EmbeddingRun;

beforeEach(() => {
  clock = createManualClock(1_000);
  embedded = new Set();
  asked = [];
  fault = () => undefined;
  gate = Promise.resolve();
  const embed = async (texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> => {
    throwIfAborted(signal);
    asked.push([...texts]);
    await raceAbort(gate, signal);
    const error = fault(texts);
    if (error !== undefined) throw error;
    return texts.map((text) => Float32Array.of(text.length));
  };
  const embedder: Embedder = {
    space: { provider: 'test', model: 'test', providerKey: 'test' },
    name: 'Test',
    maxTokens: 1_000,
    embedQuery: async (text, signal) => (await embed([text], signal))[0]!,
    embedPassages: embed,
    close: () => Promise.resolve(),
  };
  run = createEmbeddingRun(embedder, clock);
});

const numbered = (count: number): EmbeddingTask[] =>
  Array.from({ length: count }, (_each, at) => ({ text: String(at) }));
const never = new AbortController().signal;

async function textsOf(work: AsyncIterable<EmbeddedTask<EmbeddingTask>>): Promise<string[]> {
  const texts: string[] = [];
  for await (const { task } of work) texts.push(task.text);
  return texts;
}

/** Embeds those of the tasks that have no vector yet; gives their texts. */
async function pass(tasks: readonly EmbeddingTask[]): Promise<string[]> {
  const missing = tasks.filter(({ text }) => !embedded.has(text));
  const texts = await textsOf(run.embed(missing, never));
  for (const text of texts) embedded.add(text);
  return texts;
}

describe('a pass', () => {
  it('gives the vector of each text', async () => {
    const given: unknown[] = [];
    for await (const each of run.embed([{ text: 'a' }, { text: 'four' }], never)) given.push(each);
    expect(given).toEqual([
      { task: { text: 'a' }, vector: Float32Array.of(1) },
      { task: { text: 'four' }, vector: Float32Array.of(4) },
    ]);
    expect(run.state()).toEqual({ state: 'on' });
  });

  it('takes texts from their source no more than a few batches ahead', async () => {
    let taken = 0;
    const endless = function* (): Generator<EmbeddingTask> {
      for (; ; taken += 1) yield { text: String(taken) };
    };
    const work = run.embed(endless(), never);
    await work.next();
    expect(taken).toBeLessThanOrEqual(4 * 32);
    await work.return(undefined);
  });

  it('goes in batches of 32', async () => {
    expect(await pass(numbered(70))).toHaveLength(70);
    expect(asked.map((batch) => batch.length)).toEqual([32, 32, 6]);
  });

  it('loses nothing but the batch that fails, and says so', async () => {
    fault = (texts) => (texts.includes('40') ? embeddingFailed('Test', 'failed.') : undefined);
    const texts = await pass(numbered(70));
    expect(texts).toHaveLength(38);
    expect(texts).not.toContain('33');
    expect(run.state()).toEqual({ state: 'on', reason: 'Test failed.', nextAttempt: 31_000 });
  });

  it('leaves a text that nobody can embed alone in the end', async () => {
    fault = (texts) => (texts.includes('40') ? embeddingFailed('Test', 'failed.') : undefined);
    const tasks = numbered(70);
    for (let passes = 0; passes < 8; passes += 1) {
      await pass(tasks);
      clock.advance(60 * 60_000);
    }
    expect(tasks.filter(({ text }) => !embedded.has(text))).toEqual([{ text: '40' }]);
    expect(run.state().state).toBe('on');
    fault = () => undefined;
    expect(await pass(tasks)).toEqual(['40']);
    expect(run.state()).toEqual({ state: 'on' });
  });

  it('gives up after three batches in a row, and rests', async () => {
    fault = () => embeddingFailed('Test', 'failed.');
    expect(await pass(numbered(500))).toEqual([]);
    // Four are under way when the third fails.
    expect(asked.length).toBeLessThanOrEqual(6);
    expect(run.state()).toEqual({ state: 'failing', reason: 'Test failed.', nextAttempt: 31_000 });
    const before = asked.length;
    expect(await pass(numbered(500))).toEqual([]);
    expect(asked).toHaveLength(before);
  });

  it('rests twice as long after each failure, at most 15 minutes, and is well again after an answer', async () => {
    fault = () => embeddingFailed('Test', 'failed.');
    const pauses: number[] = [];
    for (let passes = 0; passes < 7; passes += 1) {
      await pass(numbered(100));
      const { nextAttempt = 0 } = run.state();
      pauses.push((nextAttempt - clock.now()) / 1_000);
      clock.advance(nextAttempt - clock.now());
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 900, 900]);
    fault = () => undefined;
    expect(await pass(numbered(100))).toHaveLength(100);
    expect(run.state()).toEqual({ state: 'on' });
  });

  it('stops at the first refusal of a provider that never answered, with what to do', async () => {
    fault = () => embeddingRefused('Test', 'did not accept the key: no', 'Check it.');
    await pass(numbered(500));
    expect(asked.length).toBeLessThanOrEqual(4);
    expect(run.state()).toMatchObject({
      state: 'failing',
      reason: 'Test did not accept the key: no. Check it.',
    });
  });

  it('can be cancelled, which is no failure', async () => {
    const stop = new AbortController();
    const work = run.embed(numbered(500), stop.signal);
    await work.next();
    stop.abort();
    await expect(textsOf(work)).rejects.toMatchObject({ code: 'cancelled' });
    expect(run.state()).toEqual({ state: 'on' });
  });

  it('throws what is no failure of the provider', async () => {
    fault = () => new TypeError('a fault of ours');
    await expect(pass(numbered(1))).rejects.toThrow('a fault of ours');
  });
});

describe('a query', () => {
  it('gives its vector; one without a word asks nobody', async () => {
    expect(await run.embedQuery('four', never)).toEqual(Float32Array.of(4));
    expect(await run.embedQuery('  ', never)).toBeUndefined();
    expect(asked).toEqual([['four']]);
  });

  it('of a provider that just failed asks nobody, and asks again after the pause', async () => {
    fault = () => embeddingFailed('Test', 'failed.');
    expect(await run.embedQuery('a', never)).toBeUndefined();
    expect(run.state()).toMatchObject({ state: 'failing', reason: 'Test failed.' });
    fault = () => undefined;
    expect(await run.embedQuery('a', never)).toBeUndefined();
    expect(asked).toHaveLength(1);
    clock.advance(30_000);
    expect(await run.embedQuery('a', never)).toBeDefined();
    expect(run.state()).toEqual({ state: 'on' });
  });

  it('is not waited for longer than 4 seconds, and that is a failure', async () => {
    gate = new Promise(() => undefined);
    const query = run.embedQuery('a', never);
    clock.advance(4_000);
    expect(await query).toBeUndefined();
    expect(run.state()).toMatchObject({ state: 'failing', reason: 'Test took more than 4 s for a query.' });
  });

  it('is still answered where only some passages fail', async () => {
    fault = (texts) => (texts.includes('40') ? embeddingFailed('Test', 'failed.') : undefined);
    await pass(numbered(70));
    expect(await run.embedQuery('a', never)).toBeDefined();
  });

  it('can be cancelled, which is no failure', async () => {
    await expect(run.embedQuery('a', AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    expect(run.state()).toEqual({ state: 'on' });
  });
});
