import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../scripts/projectRoot.ts';
import { createInMemoryLog } from '../../src/host/memory/inMemoryLog.ts';
import { createInMemorySecrets } from '../../src/host/memory/inMemorySecrets.ts';
import type * as RuntimeBundle from '../../src/runtime/index.ts';
import type { Runtime } from '../../src/runtime/index.ts';
import {
  startScriptedModelServer,
  textAnswer,
  type ScriptedModelServer,
} from '../builders/scriptedModelServer.ts';
import { homeWithModel } from '../e2e/withWorkbench.ts';
import type { Bench } from './bench.ts';
import { medianFigure } from './medianFigure.ts';

const runs = 60;
const warmUpRuns = 10;
const firstText = 'The tide ';
const dist = join(projectRoot, 'dist');

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
  const runtime = await openRuntime(folder, server.baseUrl);
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

async function openRuntime(folder: string, baseUrl: string): Promise<Runtime> {
  const workspace = join(folder, 'workspace');
  const home = join(folder, 'home');
  await Promise.all([mkdir(workspace), mkdir(home)]);
  await writeFile(join(workspace, 'README.md'), '# Boat\n\nShe leaks.\n');
  for (const [name, text] of Object.entries(homeWithModel(baseUrl))) await writeFile(join(home, name), text);
  const bundle = createRequire(import.meta.url)(join(dist, 'runtime.js')) as typeof RuntimeBundle;
  const host = bundle.createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
  return await bundle.createRuntime({
    host,
    home,
    stateFolder: join(folder, 'state'),
    dist,
    surface: 'cli',
    folders: [workspace],
    isTrusted: true,
    approve: 'deny',
    canAsk: false,
    reservedCommands: [],
    files: bundle.createDiskFiles(host.fs),
    fileLink: (path) => path,
  });
}

/** Milliseconds from `startRun` to the first `text` event. Each run has a new session, so that all are alike. */
async function timeRuntime(runtime: Runtime): Promise<number> {
  const session = runtime.createSession();
  const model = runtime.defaultModel();
  const { signal } = new AbortController();
  let firstAt: number | undefined;
  const start = performance.now();
  const run = await runtime.startRun({
    session,
    prompt: 'When does the tide turn?',
    attachments: [],
    model,
    signal,
    emit: (event) => {
      if (event.type === 'text') firstAt ??= performance.now();
    },
  });
  const outcome = await run.outcome;
  await run.settled;
  if (outcome.status !== 'completed' || firstAt === undefined)
    throw new Error(`The run ended without an answer: ${JSON.stringify(outcome)}`);
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
