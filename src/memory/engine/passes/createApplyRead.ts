import type { MemorySettings } from '../../memorySettings.ts';
import type { FoundFile } from '../../files/findMemoryFiles.ts';
import type { ReadResult } from '../../files/readMemoryFile.ts';
import { readMarkdown } from '../../markdown/readMarkdown.ts';
import { readPassageTerms } from '../../lexical/lexicalTerms.ts';
import type { NewPassage } from '../../store/rows.ts';
import type { Breather } from '../createBreather.ts';
import type { LiveIndex } from '../index/createLiveIndex.ts';
import { embeddedHash } from '../index/embeddedText.ts';

/** What became of a file that was read. `superseded`: it changed meanwhile, and this reading counts no more. */
export type ApplyOutcome = 'added' | 'changed' | 'unchanged' | 'removed' | 'superseded';

/**
 * Puts into the index what was read of a file; `path` is its key there. Cuts it in slices, then changes the index in one go where
 * that is quick.
 */
export type ApplyRead = (
  index: LiveIndex,
  path: string,
  result: ReadResult,
  isSuperseded: (path: string) => boolean,
) => Promise<ApplyOutcome>;

/** Passages of a file that take the place of the old ones in one go: some 30 ms of work. */
const maxAtOnce = 100;

export function createApplyRead(settings: () => MemorySettings, breather: Breather): ApplyRead {
  return async (index, path, result, isSuperseded) => {
    await breather.pause();
    if (isSuperseded(path)) return 'superseded';
    const known = index.file(path);
    if (result.kind === 'gone') {
      if (known === undefined) return 'unchanged';
      index.remove(path);
      return 'removed';
    }
    const file = { ...storedPart(result.file), path };
    if (result.kind === 'left-out') {
      if (known?.leftOut === result.reason && known.label === file.label) {
        index.touch({ ...known, ...file });
        return 'unchanged';
      }
      index.replace({ ...file, hash: '', date: undefined, leftOut: result.reason }, []);
      return known === undefined ? 'added' : 'changed';
    }
    const { hash } = result;
    if (known?.hash === hash && known.label === file.label && known.leftOut === undefined) {
      index.touch({ ...known, ...file });
      return 'unchanged';
    }
    const cut = await cutText(index, result, settings(), breather);
    if (isSuperseded(path)) return 'superseded';
    // What its name says is in the label.
    const stored = { ...file, hash, date: cut.date, leftOut: undefined };
    if (cut.passages.length <= maxAtOnce) index.replace(stored, cut.passages);
    else {
      const between = { pause: () => breather.pause(), isSuperseded: () => isSuperseded(path) };
      await index.replaceInSlices(stored, cut.passages, between);
      if (isSuperseded(path)) return 'superseded';
    }
    return known === undefined ? 'added' : 'changed';
  };
}

function storedPart({ path, label, source, bytes, modified }: FoundFile): Omit<FoundFile, 'realPath'> {
  return { path, label, source, bytes, modified };
}

async function cutText(
  { dictionary }: LiveIndex,
  { text, file }: Extract<ReadResult, { kind: 'text' }>,
  { chunking }: MemorySettings,
  breather: Breather,
): Promise<{ readonly passages: readonly NewPassage[]; readonly date: string | undefined }> {
  const { frontMatter, passages: cut } = readMarkdown(text, chunking);
  const { title = '', tags, aliases, date } = frontMatter;
  const keywords = [title, ...tags, ...aliases].join(' ');
  const passages: NewPassage[] = [];
  for (const passage of cut) {
    const fields = { title: file.label, keywords, headings: passage.headings, body: passage.text };
    passages.push({ ...passage, hash: embeddedHash(passage), terms: readPassageTerms(fields, dictionary) });
    await breather.pause();
  }
  return { passages, date };
}
