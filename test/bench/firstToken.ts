import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Runtime } from '../../src/runtime/index.ts';
import {
  startScriptedModelServer,
  textAnswer,
  type ScriptedModelServer,
} from '../builders/scriptedModelServer.ts';
import type { Bench } from './bench.ts';
import { medianFigure } from './medianFigure.ts';
import { openBenchRuntime, runBenchTurn } from './openBenchRuntime.ts';
import { timeServer } from './timeServer.ts';

const runs = 60;
const warmUpRuns = 10;
const firstText = 'The tide ';

/** What the runtime adds, without an editor, between a user's message and the first text of the model's answer. */
export const bench: Bench = {
  name: 'firstToken',
  needsEditor: false,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'pincer-bench-'));
    const server = await startScriptedModelServer();
    server.answerAll(() => textAnswer(firstText, 'turns at six.'));
    try {
      return await measure(folder, server);
    } finally {
      await server.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measure(folder: string, server: ScriptedModelServer): ReturnType<Bench['run']> {
  const runtime = await openBenchRuntime(folder, server.baseUrl);
  try {
    const ofRuntime: number[] = [];
    const ofServer: number[] = [];
    for (let run = 0; run < warmUpRuns + runs; run += 1) {
      ofRuntime.push(await timeRuntime(runtime));
      // The very request the runtime has just sent, so that both wait for the same answer to the same bytes.
      ofServer.push(await timeServer(server.baseUrl, server.requests.at(-1)?.body, firstText));
    }
    const warm = (samples: readonly number[]): readonly number[] => samples.slice(warmUpRuns);
    const differences = ofRuntime.map((each, run) => each - (ofServer[run] ?? Number.NaN));
    return [
      medianFigure('startRun to the first text', 'ms', warm(ofRuntime)),
      medianFigure("the server's stream read directly", 'ms', warm(ofServer)),
      medianFigure('difference', 'ms', warm(differences), { below: 15 }),
    ];
  } finally {
    await runtime.stop('shutdown');
  }
}

/** Milliseconds from `startRun` to the first `text` event. Each run has a new session, so that all are alike. */
async function timeRuntime(runtime: Runtime): Promise<number> {
  let firstAt: number | undefined;
  const start = performance.now();
  await runBenchTurn(runtime, 'When does the tide turn?', () => (firstAt ??= performance.now()));
  if (firstAt === undefined) throw new Error('The run ended without an answer.');
  return firstAt - start;
}
