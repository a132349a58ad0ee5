import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { Runtime } from '../../src/runtime/index.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';
import { openBenchRuntime, runBenchTurn } from './openBenchRuntime.ts';
import type { StreamPlan } from './streamServer.ts';

const rounds = 5;
/** 200 tokens a second is a fast model of today, 2,000 the fastest hardware. */
const paces = [200, 2_000];
const unpacedTokens = 20_000;

/**
 * What the runtime adds to reading a model's stream. Paced, two readers get each token at the same time, the runtime and one
 * that does nothing but read, and are compared token by token. Unpaced, the readers take turns.
 */
export const bench: Bench = {
  name: 'stream',
  needsEditor: false,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'pincer-bench-'));
    const server = await startServer();
    try {
      const runtime = await openBenchRuntime(folder, server.baseUrl);
      try {
        return await measure(runtime, server);
      } finally {
        await runtime.stop('shutdown');
      }
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface StreamServer {
  readonly baseUrl: string;
  plan(plan: StreamPlan): Promise<void>;
  stop(): Promise<unknown>;
}

async function startServer(): Promise<StreamServer> {
  const worker = new Worker(new URL('./streamServer.ts', import.meta.url));
  const next = (): Promise<unknown> =>
    new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  const port = await next();
  return {
    baseUrl: `http://127.0.0.1:${String(port)}/v1`,
    async plan(plan) {
      const ready = next();
      worker.postMessage(plan);
      await ready;
    },
    stop: () => worker.terminate(),
  };
}

async function measure(runtime: Runtime, server: StreamServer): Promise<readonly Figure[]> {
  // The first answers load the libraries and let the engine compile them.
  await unpaced(runtime, server, 3);
  const figures: Figure[] = [];
  for (const pace of paces) figures.push(...(await paced(runtime, server, pace)));
  const { ofRuntime, ofReader, ofBytes } = await unpaced(runtime, server, rounds);
  const ratios = ofRuntime.map((each, round) => each / (ofReader[round] ?? Number.NaN));
  return [
    ...figures,
    medianFigure('unpaced: a token through the runtime', 'µs', ofRuntime),
    medianFigure('unpaced: a token read and parsed directly', 'µs', ofReader),
    medianFigure("unpaced: a token's bytes read directly", 'µs', ofBytes),
    medianFigure('unpaced: time of the runtime ÷ read and parsed directly', '×', ratios),
  ];
}

async function paced(runtime: Runtime, server: StreamServer, pace: number): Promise<readonly Figure[]> {
  const tokens = pace * 2;
  await server.plan({ tokens, pace });
  const added: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    const direct = createArrivals();
    const through = createArrivals();
    await Promise.all([
      readDirectly(server.baseUrl, direct.take),
      runBenchTurn(runtime, 'When does the tide turn?', through.take),
    ]);
    if (direct.times.length !== tokens || through.times.length !== tokens)
      throw new Error(`Of ${tokens} tokens ${direct.times.length} and ${through.times.length} arrived.`);
    added.push(...through.times.map((at, token) => at - (direct.times[token] ?? Number.NaN)));
    ratios.push(
      ((through.times.at(-1) ?? Number.NaN) - start) / ((direct.times.at(-1) ?? Number.NaN) - start),
    );
  }
  const name = `${pace} tokens a second`;
  return [
    { name: `${name}: added to a token, p50`, value: percentile(added, 50), unit: 'ms' },
    { name: `${name}: added to a token, p99`, value: percentile(added, 99), unit: 'ms', below: 1 },
    medianFigure(`${name}: time of the answer ÷ read directly`, '×', ratios, { below: 1 / 0.95 }),
  ];
}

async function unpaced(
  runtime: Runtime,
  server: StreamServer,
  count: number,
): Promise<Readonly<Record<'ofRuntime' | 'ofReader' | 'ofBytes', readonly number[]>>> {
  await server.plan({ tokens: unpacedTokens });
  const times = { ofRuntime: [] as number[], ofReader: [] as number[], ofBytes: [] as number[] };
  const timeOf = async (read: () => Promise<void>): Promise<number> => {
    const start = performance.now();
    await read();
    return ((performance.now() - start) * 1e3) / unpacedTokens;
  };
  for (let round = 0; round < count; round += 1) {
    times.ofRuntime.push(
      await timeOf(() => runBenchTurn(runtime, 'When does the tide turn?', () => undefined)),
    );
    times.ofReader.push(await timeOf(() => readDirectly(server.baseUrl, () => undefined)));
    times.ofBytes.push(await timeOf(() => readBytes(server.baseUrl)));
  }
  return times;
}

/** When each token came; a text may hold several. */
function createArrivals(): { readonly times: number[]; take(text: string): void } {
  const times: number[] = [];
  return {
    times,
    take(text) {
      const at = performance.now();
      for (const token of text.trim().split(' ')) times[Number(token)] ??= at;
    },
  };
}

/** The least that reading the text of a stream can be: `fetch`, lines and JSON. */
async function readDirectly(baseUrl: string, onText: (text: string) => void): Promise<void> {
  let rest = '';
  for await (const text of open(baseUrl)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const { content } = (JSON.parse(line.slice(6)) as Chunk).choices[0].delta;
      if (content !== undefined) onText(content);
    }
  }
}

interface Chunk {
  readonly choices: readonly [{ readonly delta: { readonly content?: string } }];
}

async function readBytes(baseUrl: string): Promise<void> {
  let length = 0;
  for await (const text of open(baseUrl)) length += text.length;
  if (length === 0) throw new Error('The stream was empty.');
}

async function* open(baseUrl: string): AsyncGenerator<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'x-reader': 'direct' },
    body: '{}',
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>)
    yield decoder.decode(chunk, { stream: true });
}

function percentile(samples: readonly number[], percent: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
