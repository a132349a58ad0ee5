import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTinyGguf, tinyGgufDimensions } from '../../../test/builders/tinyModels/buildTinyGguf.ts';
import { buildTinyOnnx, tinyOnnxDimensions } from '../../../test/builders/tinyModels/buildTinyOnnx.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createNodeHttpClient } from '../../host/node/nodeHttpClient.ts';
import type { Embedder } from './embedder.ts';
import { createFindPackage } from './findPackage.ts';
import { resolveEmbedder } from './resolveEmbedder.ts';

// The real packages, on models that are written here: node-llama-cpp and transformers as a user would install them.
const projectRoot = join(import.meta.dirname, '../../..');
const fs = createNodeFileSystem();
let folder: string;
let gguf: string;
let onnx: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-models-'));
  gguf = join(folder, 'tiny.gguf');
  onnx = join(folder, 'tiny-onnx');
  await writeFile(gguf, buildTinyGguf());
  for (const [name, content] of Object.entries(buildTinyOnnx())) {
    await mkdir(dirname(join(onnx, name)), { recursive: true });
    await writeFile(join(onnx, name), content);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function open(modelPath: string): Promise<Embedder> {
  const { embedder, reasons } = await resolveEmbedder(
    {
      provider: 'local',
      isChosen: true,
      model: undefined,
      local: { modelPath, runtimePath: projectRoot },
      remote: {},
    },
    {},
    {
      fs,
      http: createNodeHttpClient(),
      clock: createManualClock(),
      findPackage: createFindPackage({ fs, untrusted: [] }),
      userHome: folder,
    },
  );
  if (embedder === undefined) throw new Error(reasons.join(' '));
  return embedder;
}

const never = (): AbortSignal => new AbortController().signal;
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

/** Loading native code for the first time, on machines that do other work too; milliseconds. */
const patience = 60_000;

describe.each([
  ['node-llama-cpp', () => gguf, tinyGgufDimensions],
  ['@huggingface/transformers', () => onnx, tinyOnnxDimensions],
])('%s', { timeout: patience }, (name, modelPath, dimensions) => {
  it('gives vectors of length 1, the same for the same text, in the order of the texts', async () => {
    const embedder = await open(modelPath());
    try {
      expect(embedder.name).toBe(name);
      const texts = ['the memory note', 'deploy server', 'the memory note'];
      const [first, second, third] = await embedder.embedPassages(texts, never());
      expect(first).toHaveLength(dimensions);
      expect(dot(first!, first!)).toBeCloseTo(1, 5);
      expect(dot(first!, third!)).toBeCloseTo(1, 5);
      expect(dot(first!, second!)).toBeLessThan(0.99);
      expect(dot(first!, await embedder.embedQuery('the memory note', never()))).toBeCloseTo(1, 5);
    } finally {
      await embedder.close();
    }
  });

  it('reads a text that is longer than the model can take', async () => {
    const embedder = await open(modelPath());
    try {
      expect(await embedder.embedQuery('memory '.repeat(5_000), never())).toHaveLength(dimensions);
    } finally {
      await embedder.close();
    }
  });

  it('stops when it is cancelled, and can be closed while it works', async () => {
    const embedder = await open(modelPath());
    const stop = new AbortController();
    const work = embedder.embedPassages(
      Array.from({ length: 200 }, () => 'server key limit'),
      stop.signal,
    );
    stop.abort();
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    await embedder.close();
  });
});

describe('a model that is none', () => {
  it.each(['truncated.gguf', 'empty-folder'])('is refused with its place: %s', async (name) => {
    const path = join(folder, name);
    if (name.endsWith('.gguf')) await writeFile(path, buildTinyGguf().subarray(0, 20_000));
    else await mkdir(path);
    const embedder = await open(path);
    await expect(embedder.embedQuery('a', never())).rejects.toMatchObject({
      code: 'embedding_refused',
      message: expect.stringContaining('could not be loaded') as string,
      hint: expect.stringContaining(path) as string,
    });
    await embedder.close();
  });
});

describe('a model that transformers.js runs', () => {
  it('takes the mean of the words of a text', async () => {
    const embedder = await open(onnx);
    try {
      const texts = ['memory', 'server', 'memory server'];
      const [a, b, both] = await embedder.embedPassages(texts, never());
      // Both have length 1 here and not in the table, so the mean lies between them but not in the middle.
      const angle = (x: Float32Array, y: Float32Array): number => Math.acos(dot(x, y));
      expect(angle(a!, both!) + angle(both!, b!)).toBeCloseTo(angle(a!, b!), 3);
      expect(Math.min(angle(a!, both!), angle(both!, b!))).toBeGreaterThan(0.1);
    } finally {
      await embedder.close();
    }
  });

  it('takes the first word alone where the model says that it holds the meaning', async () => {
    const path = join(folder, 'first-word');
    await cp(onnx, path, { recursive: true });
    await mkdir(join(path, '1_Pooling'));
    await writeFile(join(path, '1_Pooling', 'config.json'), '{"pooling_mode_cls_token":true}');
    const embedder = await open(path);
    try {
      const [first, both] = await embedder.embedPassages(['memory', 'memory server'], never());
      expect(both).toEqual(first);
    } finally {
      await embedder.close();
    }
  });

  it('asks no server for a file that is not there', async () => {
    const path = join(folder, 'no-tokenizer');
    await mkdir(join(path, 'onnx'), { recursive: true });
    await writeFile(join(path, 'onnx', 'model.onnx'), 'x');
    const asked: unknown[] = [];
    const before = globalThis.fetch;
    globalThis.fetch = (...args) => {
      asked.push(args[0]);
      return Promise.reject(new Error('offline'));
    };
    try {
      const embedder = await open(path);
      await expect(embedder.embedQuery('a', never())).rejects.toMatchObject({ code: 'embedding_refused' });
      await embedder.close();
    } finally {
      globalThis.fetch = before;
    }
    expect(asked).toEqual([]);
  });
});

describe('the vector space', () => {
  it('is another one where the file was replaced', async () => {
    const path = join(folder, 'replaced.gguf');
    await writeFile(path, buildTinyGguf(1));
    const before = (await open(path)).space;
    await writeFile(path, Buffer.concat([buildTinyGguf(2), Buffer.alloc(1)]));
    expect((await open(path)).space).not.toEqual(before);
    expect(before).toMatchObject({ provider: 'local', model: 'replaced.gguf' });
  });
});
