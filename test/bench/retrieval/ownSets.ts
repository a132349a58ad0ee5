import { readdir, readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot.ts';
import { readMarkdownTexts } from '../memoryCorpus.ts';
import { createAnchorSet, resolveRelative } from './createAnchorSet.ts';
import { readRetrievalSet, type RetrievalSet } from './retrievalSet.ts';

export interface NamedSet {
  readonly name: string;
  readonly set: RetrievalSet;
}

const sharedSets = join(projectRoot, '..', 'shared', 'data', 'ir');
const fixtures = join(import.meta.dirname, 'fixtures');

/** The collections of ../shared/data, or the small set of the project where they are not there; then sets made of links. */
export async function readOwnSets(): Promise<readonly NamedSet[]> {
  const shared = await jsonFilesIn(sharedSets);
  const files = shared.length > 0 ? shared : await jsonFilesIn(fixtures);
  return [...(await Promise.all(files.map(readNamedSet))), ...(await readAnchorSets())];
}

export async function readNamedSet(file: string): Promise<NamedSet> {
  return { name: basename(file, '.json'), set: await readRetrievalSet(file) };
}

async function readAnchorSets(): Promise<readonly NamedSet[]> {
  const texts = await readMarkdownTexts();
  const names = new Set(texts.map(({ name }) => name));
  // Links between the RFCs name the file on their server.
  const resolveText = (from: string, target: string): string | undefined => {
    const beside = posix.join(posix.dirname(from), basename(target));
    return /(?:^|\/)text\/[^/]+\.md$/u.test(target) && names.has(beside)
      ? beside
      : resolveRelative(from, target);
  };
  const docs = await readProjectDocs();
  return [
    { name: 'anchors: RFCs', set: createAnchorSet(texts, resolveText) },
    { name: 'anchors: project', set: createAnchorSet(docs) },
  ].filter(({ set }) => set.queries.length > 0);
}

async function readProjectDocs(): Promise<{ name: string; text: string }[]> {
  const docs = (await readdir(join(projectRoot, 'docs'))).filter((name) => name.endsWith('.md')).sort();
  const names = ['README.md', ...docs.map((name) => `docs/${name}`)];
  return await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(projectRoot, name), 'utf8') })),
  );
}

async function jsonFilesIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
