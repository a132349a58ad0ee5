import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseTarGzip } from 'nanotar';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { PincerError } from '../../src/base/errors.ts';
import { readMarkdown } from '../../src/memory/markdown/readMarkdown.ts';

/** As the memory cuts by default. */
export const benchChunking = { tokens: 400, overlap: 80 };

/** One passage, for the programs that are measured beside the memory. */
export interface BenchPassage {
  readonly title: string;
  readonly headings: string;
  readonly body: string;
}

export interface MarkdownText {
  readonly name: string;
  readonly text: string;
}

/** Real markdown (../shared/data), or made-up markdown where that is not there. */
export async function readMarkdownTexts(): Promise<readonly MarkdownText[]> {
  const archive = join(projectRoot, '..', 'shared', 'data', 'markdown', 'rfcs.tar.gz');
  try {
    const entries = await parseTarGzip(await readFile(archive));
    return entries
      .filter(({ name }) => name.endsWith('.md'))
      .map(({ name, text }) => ({ name, text }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Array.from({ length: 600 }, (_, at) => ({ name: `text/${at}.md`, text: madeUpText(at) }));
  }
}

/**
 * Writes files below `folder` until they hold that many passages, and gives the passages. Beyond the texts that there are, it
 * writes them again with other words, so that the vocabulary grows as it does in real notes.
 */
export async function writePassages(
  folder: string,
  texts: readonly MarkdownText[],
  wanted: number,
): Promise<readonly BenchPassage[]> {
  const passages: BenchPassage[] = [];
  for (let copy = 0; passages.length < wanted; copy += 1) {
    const vary = createVariation(copy);
    for (const { name, text } of texts) {
      const varied = vary(text);
      await writeMarkdown(join(folder, `copy${copy}`, name), varied);
      for (const { headings, text: body } of readMarkdown(varied, benchChunking).passages)
        passages.push({ title: name, headings: headings.join('\n'), body });
      if (passages.length >= wanted) break;
    }
    if (passages.length === 0) throw new PincerError('no_texts', 'There is no markdown to measure with.');
  }
  return passages;
}

/** Writes that many small files in folders of a hundred. */
export async function writeSmallFiles(
  folder: string,
  texts: readonly MarkdownText[],
  count: number,
): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const { text } = texts[at % texts.length] ?? { text: '' };
    const start = Math.floor(at / texts.length) * 1_000;
    const part = `# Note ${at}\n\n${text.slice(start, start + 1_500)}\n`;
    await writeMarkdown(join(folder, `part${Math.floor(at / 100)}`, `note${at}.md`), part);
  }
}

async function writeMarkdown(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Turns the letters of every third longer word, always in the same way for one copy; copy 0 is the text itself. */
function createVariation(copy: number): (text: string) => string {
  const known = new Map<string, string>();
  const vary = (word: string): string => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const at = 1 + (copy % (word.length - 1));
    const isVaried = hashOf(word.toLowerCase()) % 3 === 0;
    const after = isVaried ? `${word.slice(at)}${word.slice(0, at)}` : word;
    known.set(word, after);
    return after;
  };
  return (text) => (copy === 0 ? text : text.replace(/[A-Za-z]{5,}/gu, vary));
}

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = (hash * 31 + word.charCodeAt(at)) >>> 0;
  return hash >>> 3;
}

/** Some 15 kB with a vocabulary that is spread as words are: few often, most seldom. */
function madeUpText(seed: number): string {
  let state = seed + 1;
  const draw = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const word = (): string => `word${Math.floor(30_000 ** draw())}`;
  const sentence = (): string => `${Array.from({ length: 14 }, word).join(' ')}.`;
  const section = (_: unknown, at: number): string =>
    `## Part ${at} ${word()}\n\n${Array.from({ length: 10 }, sentence).join('\n')}\n`;
  return `# ${word()} ${word()}\n\n${Array.from({ length: 14 }, section).join('\n')}`;
}
