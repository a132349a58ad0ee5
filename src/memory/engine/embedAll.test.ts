import { afterEach, expect, it } from 'vitest';
import { openEngineWorld, type EngineWorld } from '../../../test/builders/openEngineWorld.ts';
import { startWordEmbeddings } from '../../../test/builders/startWordEmbeddings.ts';

let world: EngineWorld;
afterEach(() => world.close());

const never = new AbortController().signal;

it('every passage gets its vector, also where many have the same text and after a rebuild', async () => {
  const unique = Array.from({ length: 300 }, (_, at): [string, string] => [
    `d/${String(at)}.md`,
    `apple word${String(at)}`,
  ]);
  const same = Array.from({ length: 200 }, (_, at): [string, string] => [
    `e/${String(at)}.md`,
    'the same for all',
  ]);
  world = await openEngineWorld(Object.fromEntries([...unique, ...same]));
  const server = await startWordEmbeddings();
  try {
    const { embeddings } = world.settings;
    const local = {
      ...embeddings,
      provider: 'local' as const,
      local: { baseUrl: server.baseUrl },
      model: 'words',
    };
    const engine = await world.open({ embeddings: local });
    const isWhole = async (): Promise<boolean> => (await engine.status()).vector.embedded === 500;
    await engine.until(isWhole);
    await engine.sync({ rebuild: true }, never);
    await engine.until(isWhole);
    expect((await engine.ask('apple')).mode).toBe('hybrid');
  } finally {
    await server.close();
  }
});
