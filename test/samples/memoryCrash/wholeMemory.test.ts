import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { isThorough } from '../../builders/isThorough.ts';
import { openWholeMemory, workspaceOf } from './openWholeMemory.ts';
import { startProcess } from './startProcess.ts';

/** How long after all is indexed the kill comes, in milliseconds: at any moment of what follows. */
const delays = isThorough ? [0, 20, 60, 150, 400] : [20];
/** Each version changes another third of the notes. */
const versionsOfAll = 3;

let root: string;
let cache: string;
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'pincer-compiled-'));
});
afterAll(() => rm(cache, { recursive: true, force: true }));
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-whole-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** The word of each note, by the note's name. */
async function wordsOfNotes(): Promise<readonly (readonly [string, string])[]> {
  // The others are what the kill left of one that was being written.
  const names = (await readdir(workspaceOf(root))).filter((name) => name.endsWith('.md'));
  const texts = names.map(async (name) => await readFile(join(workspaceOf(root), name), 'utf8'));
  const words = (await Promise.all(texts)).map((text) => /zebra\d+x\d+/u.exec(text)?.[0] ?? '');
  return names.map((name, index) => [name, words[index]!] as const);
}

/**
 * A start after the crash: what an earlier start has saved need not be indexed again, and every note is found by what it says
 * now, and by nothing that it said before. @returns how many notes there are
 */
async function expectRightAnswers(saved: number): Promise<number> {
  const memory = await openWholeMemory(root);
  try {
    const { added } = await memory.sync();
    const notes = await wordsOfNotes();
    expect(added).toBeLessThanOrEqual(notes.length - saved);
    const status = await memory.status();
    expect(status.problems).toEqual([]);
    expect(status).toMatchObject({ role: 'writing', stale: 0 });
    for (const [name, word] of notes) {
      const { hits } = await memory.search(word);
      expect(
        hits.map(({ label }) => label),
        word,
      ).toContain(name);
      for (const { label, text } of hits.filter((hit) => hit.label === name))
        expect(text, label).toContain(word);
    }
    return notes.length;
  } finally {
    await memory.close();
  }
}

it('the memory answers rightly after its process was killed while it indexed, saved or built anew', async () => {
  let version = 0;
  let notes = 0;
  for (const delay of delays) {
    const child = startProcess(cache, 'rememberAndDie.ts', [root, String(version)]);
    const versions = delay === delays.at(-1) ? versionsOfAll : 1;
    for (let told = 0; told < versions; told += 1) await child.next();
    await setTimeout(delay);
    const lines = await child.killed('now');
    version += versions + lines.length + 1;
    notes = await expectRightAnswers(notes);
  }
  expect(notes).toBe(30);
});
