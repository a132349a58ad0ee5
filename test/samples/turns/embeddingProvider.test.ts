import { describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../builders/openTestRuntime.ts';

/** Knows that a mooring and an anchor are about the same thing, and a tide is not. */
const meaning = `({ text }) => [/anchor|mooring/i.test(text) ? 1 : 0, /tide/i.test(text) ? 1 : 0, 0.01]`;
const provider = (body: string, register = 'registerEmbeddingProvider'): string => `
module.exports = { id: 'acme', register(api) {
  api.${register}({ id: 'acme-vectors', defaultModel: 'acme-1', async create({ model, config }) {
    mark('create ' + model);
    ${body}
  } });
} };`;
const works = (register?: string): string =>
  provider(
    `return { provider: { id: 'acme-vectors', model, async embedBatch(inputs, { inputType }) {
      mark(inputType);
      return inputs.map(${meaning});
    } } };`,
    register,
  );

const files = {
  'anchors.md': '# Anchors\n\nAn anchor of twelve kilograms holds the boat.\n',
  'tides.md': '# Tides\n\nThe tide turns at six.\n',
};
const memory = { provider: 'acme-vectors', query: { minScore: 0.2 } };
const { signal } = new AbortController();

async function open(acme: string, more: object = {}): Promise<TestRuntime> {
  const world = await openTestRuntime({ files, global: { acme }, config: { memory, ...more } });
  await world.runtime.memory.sync({}, signal);
  return world;
}
/** Waits until the memory says this of its vectors. */
async function untilVectors({ runtime }: TestRuntime, said: object): Promise<void> {
  await expect.poll(async () => (await runtime.memory.status()).vector).toMatchObject(said);
}
const hits = async ({ runtime }: TestRuntime, query: string): Promise<readonly string[]> =>
  (await runtime.memory.search(query, {}, signal)).hits.map(({ label }) => label);

describe('an embedding provider of a plugin that the config names', () => {
  for (const register of ['registerEmbeddingProvider', 'registerMemoryEmbeddingProvider'])
    it(`finds by meaning what no word finds: ${register}`, async () => {
      await using world = await open(works(register));
      const space = { provider: 'plugin:acme/acme-vectors', model: 'acme-1' };
      await untilVectors(world, { state: 'on', ...space, embedded: 2, total: 2 });
      expect(await hits(world, 'mooring')).toEqual(['anchors.md']);
      expect(world.marks).toEqual(expect.arrayContaining(['create acme-1', 'document', 'query']));
      expect(world.marks.filter((mark) => mark.startsWith('create'))).toHaveLength(1);
    });

  it('is closed when its plugin is switched off, and when the window ends', async () => {
    const closes = works().replace('async embedBatch', `close() { mark('closed'); }, async embedBatch`);
    const world = await open(closes);
    await untilVectors(world, { state: 'on' });
    await world.runtime.plugins.setEnabled('acme', false);
    await expect.poll(() => world.marks.filter((mark) => mark === 'closed')).toHaveLength(1);
    await world.runtime.plugins.setEnabled('acme', true);
    await untilVectors(world, { state: 'on' });
    expect(await hits(world, 'mooring')).toEqual(['anchors.md']);
    await world[Symbol.asyncDispose]();
    expect(world.marks.filter((mark) => mark === 'closed')).toHaveLength(2);
  });

  it('leaves the search to words where it fails, and the status says who and why', async () => {
    await using world = await open(provider(`throw new Error('no key');`));
    const reason: unknown = expect.stringContaining(
      'The embedding provider "acme-vectors" of plugin "acme" failed: no key.',
    );
    await untilVectors(world, { state: 'failing', reason });
    expect(await hits(world, 'mooring')).toEqual([]);
    expect(await hits(world, 'anchor')).toEqual(['anchors.md']);
  });

  it('is held to one vector of numbers for each text', async () => {
    await using world = await open(provider(`return { provider: { embedBatch: async () => [['much']] } };`));
    const reason: unknown = expect.stringContaining('it gave 1 embeddings for 2 texts');
    await untilVectors(world, { state: 'failing', reason });
  });

  it('is named where no plugin has registered it', async () => {
    await using world = await open(works(), { memory: { ...memory, provider: 'other' } });
    const reason: unknown = expect.stringContaining(
      'No plugin that is loaded has registered the embedding provider "other"',
    );
    await untilVectors(world, { state: 'off', reason });
  });
});
