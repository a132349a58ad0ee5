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
      ofServer.push(await timeServer(server.baseUrl, JSON.stringify(server.requests.at(-1)?.body)));
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

/** Milliseconds from sending the request to the bytes with the first text, by nothing but `fetch`. */
async function timeServer(baseUrl: string, body: string): Promise<number> {
  let firstAt: number | undefined;
  let text = '';
  const start = performance.now();
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(firstText)) firstAt ??= performance.now();
  }
  if (firstAt === undefined) throw new Error(`The server's stream had no text: ${text}`);
  return firstAt - start;
}
