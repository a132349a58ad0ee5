import { stat } from 'node:fs/promises';
import type { Model } from '../../src/contracts/model.ts';
import { openTestRuntime, type TestRuntime } from '../builders/openTestRuntime.ts';
import type { Bench, Figure } from './bench.ts';
import { heapUse } from './heapGrowth.ts';
import { medianFigure } from './medianFigure.ts';

/** A turn a minute for a day. */
const turns = 24 * 60;
/** Turns after which everything is loaded and compiled. */
const warm = 4 * 60;
const fileLines = 200;

/** A day of work in one session, as fast as it goes: each turn reads a file and answers, and the conversation is compacted whenever it fills the model's window. */
export const bench: Bench = {
  name: 'soak',
  needsEditor: false,
  async run() {
    const line = 'const value = compute(1, "x"); // a line of a file that the agent looks at';
    await using test = await openTestRuntime({
      withoutRealBundled: true,
      files: { 'notes.ts': `${line}\n`.repeat(fileLines) },
    });
    const started = performance.now();
    const early: number[] = [];
    const late: number[] = [];
    let before = 0;
    for (let turn = 0; turn < turns; turn += 1) {
      const took = await takeTurn(test, turn);
      if (turn === warm) before = heapUse();
      if (turn >= warm && turn < 2 * warm) early.push(took);
      if (turn >= turns - warm) late.push(took);
    }
    const grown = heapUse() - before;
    const { size } = await stat(test.session.file);
    const compactions = test.session.entries().filter((entry) => entry.type === 'compaction').length;
    if (compactions === 0) throw new Error('Nothing was compacted.');
    return figuresOf({ grown, size, early, late, took: performance.now() - started });
  },
};

interface Measured {
  /** Bytes. */
  readonly grown: number;
  /** Bytes of the transcript. */
  readonly size: number;
  readonly early: readonly number[];
  readonly late: readonly number[];
  /** Milliseconds. */
  readonly took: number;
}

function figuresOf({ grown, size, early, late, took }: Measured): readonly Figure[] {
  const mega = 1e6;
  return [
    {
      name: `memory grown in the last 20 of 24 hours (${turns} turns)`,
      value: grown / mega,
      unit: 'MB',
      below: 10,
    },
    { name: 'transcript of the day', value: size / mega, unit: 'MB' },
    medianFigure('a turn in hours 4 to 8', 'ms', early),
    medianFigure('a turn in hours 20 to 24', 'ms', late),
    { name: 'the whole day', value: took, unit: 'ms' },
  ];
}

/** Gives how long it took, in milliseconds. */
async function takeTurn({ runtime, session }: TestRuntime, turn: number): Promise<number> {
  const start = performance.now();
  const run = await runtime.turns.start({
    session,
    prompt: `Look again (${String(turn)}).`,
    attachments: [],
    model: tirelessModel,
    signal: new AbortController().signal,
    emit: () => undefined,
  });
  const outcome = await run.outcome;
  await run.settled;
  if (outcome.status !== 'completed')
    throw new Error(`Turn ${String(turn)} ended as ${JSON.stringify(outcome)}.`);
  return performance.now() - start;
}

/** Reads the file once in each turn; asked without tools, it writes a summary. */
const tirelessModel: Model = {
  info: {
    ...{ provider: 'replay', model: 'tireless', name: 'Tireless', toolCalling: true },
    ...{ contextWindow: 64_000, maxOutputTokens: 4_000 },
  },
  async *stream({ messages, tools }) {
    if (tools.length > 0 && messages.at(-1)?.role === 'user') {
      yield { type: 'toolCall', id: 'call', name: 'read', arguments: { path: 'notes.ts' } };
      yield { type: 'done', stopReason: 'toolUse' };
      return;
    }
    yield { type: 'text', text: 'The user has me look at notes.ts again and again; it has not changed.' };
    yield { type: 'done', stopReason: 'stop' };
  },
};
