import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openAiVectors,
  startEmbeddingServer,
  type EmbeddingServer,
} from '../../../test/builders/startEmbeddingServer.ts';
import type { EmbeddingConfig } from '../../config/sections/memorySection.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createNodeHttpClient } from '../../host/node/nodeHttpClient.ts';
import type { MemorySettings } from '../memorySettings.ts';
import type { ResolvedEmbedder } from './embedder.ts';
import type { FindPackage } from './findPackage.ts';
import { resolveEmbedder } from './resolveEmbedder.ts';

let folder: string;
let server: EmbeddingServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-embedder-'));
  server = await startEmbeddingServer();
  server.script(openAiVectors());
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const nothingInstalled: FindPackage = () => Promise.resolve(undefined);

function resolve(
  config: Partial<EmbeddingConfig>,
  keys: MemorySettings['keys'] = {},
  findPackage: FindPackage = nothingInstalled,
): Promise<ResolvedEmbedder> {
  const chosen = { provider: 'auto', isChosen: true, model: undefined, local: {}, remote: {} } as const;
  return resolveEmbedder({ ...chosen, ...config }, keys, {
    fs: createNodeFileSystem(),
    http: createNodeHttpClient(),
    clock: createManualClock(),
    findPackage,
    userHome: folder,
  });
}

const noLocal = 'Local: neither memory.local.baseUrl nor memory.local.modelPath is set.';
const noOpenAi = 'OpenAI: no key (OPENAI_API_KEY or memory.remote.apiKey).';
const noGemini = 'Gemini: no key (GEMINI_API_KEY).';
const noVoyage = 'Voyage: no key (VOYAGE_API_KEY).';

describe('the provider “auto”', () => {
  it('without anything there is none, and each step says why', async () => {
    expect(await resolve({})).toEqual({ reasons: [noLocal, noOpenAi, noGemini, noVoyage] });
  });

  it.each([
    ['local before all', { local: { baseUrl: 'http://localhost:11434' } }, 'Ollama at localhost:11434', []],
    ['then OpenAI', {}, 'OpenAI', [noLocal]],
  ])('takes the first that can be had: %s', async (_what, config, name, reasons) => {
    const resolved = await resolve(config, { openai: 'a', gemini: 'b', voyage: 'c' });
    expect(resolved.embedder?.name).toBe(name);
    expect(resolved.reasons).toEqual(reasons);
  });

  it('uses no key of the environment while the user has named nobody, and says so', async () => {
    const { embedder, reasons } = await resolve({ isChosen: false }, { openai: 'k', voyage: 'v' });
    expect(embedder).toBeUndefined();
    expect(reasons.join('\n')).toMatch(
      /^OpenAI: a key is there \(OPENAI_API_KEY\) and is not used unasked; .*auto or openai\.$/mu,
    );
    expect(reasons.join('\n')).toContain('Voyage: a key is there');
  });

  it('passes over who has no key', async () => {
    const withVoyage = await resolve({}, { voyage: 'c' });
    expect(withVoyage.embedder?.name).toBe('Voyage');
    expect(withVoyage.reasons).toEqual([noLocal, noOpenAi, noGemini]);
    expect((await resolve({}, { gemini: 'b', voyage: 'c' })).embedder?.name).toBe('Gemini');
  });

  it('goes on where the model can’t be run here', async () => {
    await writeFile(join(folder, 'tiny.gguf'), '');
    const resolved = await resolve({ local: { modelPath: '~/tiny.gguf' } }, { gemini: 'b' });
    expect(resolved.embedder?.name).toBe('Gemini');
    expect(resolved.reasons[0]).toBe(
      `Local: node-llama-cpp is not installed in ${folder} or above. Run there: npm install node-llama-cpp, ` +
        'or name the folder that has it in memory.local.runtimePath.',
    );
  });

  it('gives the key and the address of memory.remote to OpenAI alone', async () => {
    const remote = { remote: { baseUrl: server.origin } };
    const { embedder } = await resolve(remote, { remote: 'mine', openai: 'other' });
    await embedder?.embedQuery('a', new AbortController().signal);
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer mine');
    expect((await resolve(remote, { gemini: 'b' })).embedder?.name).toBe('Gemini');
  });

  it('asks no server before the first text', async () => {
    const { embedder } = await resolve({ local: { baseUrl: server.origin } });
    expect(embedder).toBeDefined();
    expect(server.requests).toEqual([]);
  });
});

describe('a provider chosen by name', () => {
  it('is reported where it can’t be had, and never replaced', async () => {
    expect(await resolve({ provider: 'gemini' }, { openai: 'a', voyage: 'c' })).toEqual({
      reasons: ['Gemini: no key (GEMINI_API_KEY or memory.remote.apiKey).'],
    });
    expect(await resolve({ provider: 'local' }, { openai: 'a' })).toEqual({ reasons: [noLocal] });
  });

  it('gets the key and the address of memory.remote, and the model', async () => {
    const config = { provider: 'voyage', model: 'mine', remote: { baseUrl: server.origin } } as const;
    const { embedder } = await resolve(config, { remote: ' key ' });
    await embedder?.embedQuery('a', new AbortController().signal);
    expect(server.requests[0]).toMatchObject({
      headers: { authorization: 'Bearer key' },
      body: { model: 'mine' },
    });
  });

  it('none keeps to text', async () => {
    expect(await resolve({ provider: 'none' }, { openai: 'a' })).toEqual({
      reasons: ['Embeddings are switched off: memory.provider is none.'],
    });
  });
});

describe('the address of a server', () => {
  it.each([
    ['http://example.com/v1', 'would get the key over an open connection'],
    ['https://user:secret@example.com', 'has a password in its address'],
    ['ftp://example.com', 'has an address that is none'],
  ])('a key does not go to %s', async (baseUrl, reason) => {
    const { embedder, reasons } = await resolve(
      { provider: 'openai', remote: { baseUrl } },
      { remote: 'sk-secret-1234' },
    );
    expect(embedder).toBeUndefined();
    expect(reasons).toEqual([expect.stringContaining(reason)]);
    expect(reasons[0]).not.toContain('secret');
  });

  it.each(['https://example.com', 'http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1'])(
    'a key may go to %s',
    async (baseUrl) => {
      const { embedder } = await resolve({ provider: 'openai', remote: { baseUrl } }, { remote: 'sk' });
      expect(embedder).toBeDefined();
    },
  );

  it('a host whose name only looks like this machine’s is none', async () => {
    const baseUrl = 'http://127.0.0.1.example.com';
    const { embedder } = await resolve({ provider: 'openai', remote: { baseUrl } }, { remote: 'sk' });
    expect(embedder).toBeUndefined();
  });

  it.each(['', '/', '/v1', '/v1/', '/v1/embeddings'])('“%s” after the host means the same', async (path) => {
    const { embedder } = await resolve({ local: { baseUrl: `${server.origin}${path}` } });
    await embedder?.embedQuery('a', new AbortController().signal);
    expect(server.requests[0]?.path).toBe('/v1/embeddings');
  });

  it('a server without a key may be anywhere', async () => {
    const { embedder } = await resolve({ local: { baseUrl: 'http://gpu.example:8080/v1' } });
    expect(embedder?.name).toBe('llama-server at gpu.example:8080');
  });
});

describe('model files', () => {
  it('that are not there, or are no models, say so', async () => {
    await writeFile(join(folder, 'model.bin'), '');
    const reasonFor = async (modelPath: string): Promise<string | undefined> =>
      (await resolve({ provider: 'local', local: { modelPath } })).reasons[0];
    expect(await reasonFor(join(folder, 'gone.gguf'))).toContain('there is no model at');
    expect(await reasonFor('relative.gguf')).toContain('there is no model at relative.gguf');
    expect(await reasonFor(join(folder, 'model.bin'))).toContain('neither a .gguf file nor a folder');
  });

  it('each kind has its package, looked for in runtimePath, and nothing of it runs before the first text', async () => {
    await mkdir(join(folder, 'onnx-model'));
    await writeFile(join(folder, 'M.GGUF'), '');
    const asked: string[] = [];
    let loads = 0;
    const find: FindPackage = (name, from) => {
      asked.push(`${name} ${from}`);
      return Promise.resolve({ folder: from, load: () => Promise.resolve((loads += 1)) });
    };
    const local = (modelPath: string): Partial<EmbeddingConfig> => ({
      local: { modelPath, runtimePath: '~/run' },
    });
    await resolve(local(join(folder, 'M.GGUF')), {}, find);
    const { embedder } = await resolve(local(join(folder, 'onnx-model')), {}, find);
    const run = join(folder, 'run');
    expect(asked).toEqual([`node-llama-cpp ${run}`, `@huggingface/transformers ${run}`]);
    expect(loads).toBe(0);
    await expect(embedder?.embedQuery('a', new AbortController().signal)).rejects.toMatchObject({
      code: 'embedding_refused',
      message: expect.stringContaining('has no pipeline') as string,
    });
  });
});
