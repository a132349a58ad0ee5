import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createNodeHttpClient } from '../../host/node/nodeHttpClient.ts';
import { resolveEmbedder } from '../embeddings/resolveEmbedder.ts';
import type { MemorySettings } from '../memorySettings.ts';
import { createEmbedding } from './createEmbedding.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import {
  openEngineWorld,
  type EngineWorld,
  type TestEngine,
} from '../../../test/builders/openEngineWorld.ts';
import { startWordEmbeddings, type WordEmbeddings } from '../../../test/builders/startWordEmbeddings.ts';

const never = new AbortController().signal;
let world: EngineWorld;
let server: WordEmbeddings;
let clock: ManualClock;

beforeEach(async () => {
  world = await openEngineWorld({
    'cats.md': 'The kitten sleeps on the sofa.',
    'dogs.md': 'The puppy chases a ball.',
    'cars.md': 'The wheel needs air.',
  });
  server = await startWordEmbeddings();
  clock = createManualClock(Date.now());
});

afterEach(async () => {
  await world.close();
  await server.close();
});

function withServer(): MemorySettings {
  const { embeddings } = world.settings;
  return {
    ...world.settings,
    embeddings: { ...embeddings, provider: 'local', model: 'words', local: { baseUrl: server.baseUrl } },
  };
}

const stateOf = async (engine: TestEngine): Promise<string> => (await engine.status()).vector.state;

async function embedded(engine: TestEngine, count: number): Promise<void> {
  await engine.until(async () => (await engine.status()).vector.embedded === count);
}

describe('the vector leg', () => {
  it('tells of an index that fails while it embeds, and goes on at the next pass', async () => {
    let isBroken = true;
    const store = {
      withoutVector: () => {
        if (isBroken) throw new Error('out of memory');
        return [];
      },
      keepVectorsOf: () => undefined,
    };
    const index = { store, vectors: { size: 0 }, lexical: { passages: 1 }, useVectors: () => undefined };
    const embedding = createEmbedding({
      clock,
      index: () => index as unknown as LiveIndex,
      onProgress: () => undefined,
      onChange: () => undefined,
    });
    const local = { ...withServer().embeddings };
    await embedding.configure(() =>
      resolveEmbedder(
        local,
        {},
        {
          ...{ http: createNodeHttpClient(), fs: createNodeFileSystem(), clock, userHome: '/' },
          findPackage: () => Promise.resolve(undefined),
        },
      ),
    );
    await embedding.run();
    expect(embedding.state()).toMatchObject({ state: 'failing', reason: 'out of memory' });
    isBroken = false;
    await embedding.run();
    expect(embedding.state().state).toBe('on');
    await embedding.close();
  });

  it('finds what is meant where no word of the query occurs', async () => {
    const engine = await world.open(withServer(), { clock });
    await embedded(engine, 3);
    const answer = await engine.ask('feline', { minScore: 0.5 });
    expect(answer.mode).toBe('hybrid');
    expect(answer.hits.map(({ label }) => label)).toEqual(['cats.md']);
    expect(answer.hits[0]?.why.vector?.cosine).toBeGreaterThan(0.9);
    expect(answer.vector).toMatchObject({ state: 'on', embedded: 3, total: 3 });
  });

  it('embeds each text once: not after a restart, a rename, or a rebuild', async () => {
    let engine = await world.open(withServer(), { clock });
    await embedded(engine, 3);
    await engine.close();
    expect(server.texts).toHaveLength(3);

    engine = await world.open(withServer(), { clock });
    await embedded(engine, 3);
    await world.remove('cats.md');
    await world.write('kittens.md', 'The kitten sleeps on the sofa.');
    await engine.sync({}, never);
    await embedded(engine, 3);
    await engine.sync({ rebuild: true }, never);
    await embedded(engine, 3);
    expect((await engine.ask('feline', { minScore: 0.5 })).hits[0]?.label).toBe('kittens.md');
    expect(server.texts.filter((text) => text !== 'feline')).toHaveLength(3);
  });

  it('that fails degrades the answer, says so, and comes back by itself', async () => {
    server.status = 401;
    const engine = await world.open(withServer(), { clock });
    await engine.until(async () => (await stateOf(engine)) === 'failing');
    const answer = await engine.ask('kitten');
    expect(answer).toMatchObject({ mode: 'text', vector: { state: 'failing', embedded: 0, total: 3 } });
    expect(answer.vector.reason).toContain('not today');
    expect(answer.hits.map(({ label }) => label)).toEqual(['cats.md']);
    expect((await engine.status()).problems.map(({ code }) => code)).toEqual(['memory_embedding_failing']);

    server.status = 200;
    clock.advance(30_000);
    await embedded(engine, 3);
    await engine.until(async () => (await stateOf(engine)) === 'on');
    expect((await engine.ask('feline')).mode).toBe('hybrid');
    expect((await engine.status()).problems).toEqual([]);
  });

  it('is not asked again at each search while it fails', async () => {
    const engine = await world.open(withServer(), { clock });
    await embedded(engine, 3);
    server.status = 401;
    expect((await engine.ask('feline')).vector.state).toBe('failing');
    server.status = 200;
    expect((await engine.ask('canine')).mode).toBe('text');
    expect(server.texts).not.toContain('canine');
  });

  it('goes on past a text that the provider takes by no means', async () => {
    const engine = await world.open(withServer(), { clock });
    await embedded(engine, 3);
    server.refused = 'unspeakable';
    await world.write('a.md', 'An unspeakable text.');
    await world.write('b.md', 'Another puppy.');
    await engine.sync({}, never);
    await engine.until(async () => {
      clock.advance(30_000);
      return (await engine.status()).vector.embedded === 4;
    });
    expect((await engine.ask('canine', { minScore: 0.5 })).hits.map(({ label }) => label)).toContain('b.md');
    expect((await engine.ask('unspeakable')).hits[0]?.label).toBe('a.md');
  });

  it('stays off in a window that is not trusted: no text goes anywhere', async () => {
    const engine = await world.open({ ...withServer(), isTrusted: false }, { clock });
    const { vector } = await engine.ask('kitten');
    expect(vector).toMatchObject({ state: 'off', embedded: 0 });
    expect(vector.reason).toContain('not trusted');
    expect(server.texts).toEqual([]);
    await engine.configure(withServer());
    await embedded(engine, 3);
  });

  it('is switched on and off by the settings, while it runs', async () => {
    const engine = await world.open({}, { clock });
    expect(await engine.ask('feline')).toMatchObject({ mode: 'text', hits: [], vector: { state: 'off' } });
    await engine.configure(withServer());
    await embedded(engine, 3);
    expect((await engine.ask('feline')).mode).toBe('hybrid');
    await engine.configure(world.settings);
    expect(await engine.ask('feline')).toMatchObject({ mode: 'text', hits: [], vector: { state: 'off' } });
  });
});
