import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Memory } from '../../src/memory/memory.ts';
import type { Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';
import { writePassages, writeSmallFiles, type MarkdownText } from './memoryCorpus.ts';
import { openBenchMemory } from './openBenchMemory.ts';
import { chooseQueries } from './memoryQueries.ts';

const rounds = 5;
const passages = 5_000;
const files = 2_000;
const givenUpMs = 20_000;

/** How soon the memory knows what is on disk: after a start, after a save, and when nothing has changed. */
export async function measureFreshness(
  root: string,
  texts: readonly MarkdownText[],
): Promise<readonly Figure[]> {
  const folder = join(root, 'freshness');
  const stateFolder = join(root, 'freshnessState');
  const [query = ''] = chooseQueries(await writePassages(folder, texts, passages), 1);
  await once(folder, stateFolder, (memory) => memory.sync());
  const cold: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await once(folder, stateFolder, async (memory) => {
      const { hits } = await memory.search(query);
      cold.push(performance.now() - start);
      if (hits.length === 0) throw new Error('The first search after a start found nothing.');
    });
  }
  const saved = await once(folder, stateFolder, async (memory) => {
    await memory.sync();
    const taken: number[] = [];
    for (let round = 0; round < rounds; round += 1) taken.push(await timeOfSave(memory, folder, round));
    return taken;
  });
  return [
    medianFigure(`cold start to first search, ${passages} passages`, 'ms', cold, { below: 300 }),
    medianFigure(`saved file to found, ${passages} passages`, 'ms', saved, { below: 2_000 }),
    medianFigure(`look at ${files} unchanged files`, 'ms', await timesOfRescan(root, texts), { below: 300 }),
  ];
}

async function timesOfRescan(root: string, texts: readonly MarkdownText[]): Promise<readonly number[]> {
  const folder = join(root, 'unchanged');
  await writeSmallFiles(folder, texts, files);
  return await once(folder, join(root, 'unchangedState'), async (memory) => {
    await memory.sync();
    const taken: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now();
      const { unchanged } = await memory.sync();
      taken.push(performance.now() - start);
      if (unchanged !== files) throw new Error(`${unchanged} of ${files} files were left alone.`);
    }
    return taken;
  });
}

/** From the end of writing until a search finds the new text, as the editor tells of a save. */
async function timeOfSave(memory: Memory, folder: string, round: number): Promise<number> {
  const file = join(folder, 'saved.md');
  const word = `zanzibar${round}quokka`;
  await writeFile(file, `# Saved\n\nThis holds ${word}.\n`);
  const start = performance.now();
  memory.changed([file]);
  for (;;) {
    const { hits } = await memory.search(word);
    const took = performance.now() - start;
    if (hits.some(({ text }) => text.includes(word))) return took;
    if (took > givenUpMs) throw new Error(`A saved file was not found within ${givenUpMs} ms.`);
    await delay(10);
  }
}

async function once<T>(
  folder: string,
  stateFolder: string,
  work: (memory: Memory) => Promise<T>,
): Promise<T> {
  const memory = openBenchMemory(folder, stateFolder);
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}
