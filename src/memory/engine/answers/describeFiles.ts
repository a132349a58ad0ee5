import type { FoundFile } from '../../files/findMemoryFiles.ts';
import type { MemoryFile } from '../../memory.ts';
import type { StoredFile } from '../../store/rows.ts';
import type { LiveIndex } from '../index/createLiveIndex.ts';
import type { ForgottenFile } from '../createForgotten.ts';

export interface FilesView {
  readonly index: LiveIndex;
  readonly forgotten: readonly ForgottenFile[];
  readonly isStale: (path: string) => boolean;
}

/** All files that the index holds or was told to leave out, by label. */
export function describeFiles({ index, forgotten, isStale }: FilesView): readonly MemoryFile[] {
  const passages = index.store.passagesByFile();
  const out = new Set(forgotten.map(({ path }) => path));
  const known = [...index.files().values()].filter(({ path }) => !out.has(path));
  const taken = forgotten.map((file): MemoryFile => ({
    ...file,
    passages: 0,
    bytes: 0,
    modified: 0,
    state: 'forgotten',
  }));
  return [
    ...known.map((file) => describeFile(file, passages.get(file.path) ?? 0, isStale(file.path))),
    ...taken,
  ].sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
}

export function describeFile(file: StoredFile, passages: number, isStale: boolean): MemoryFile {
  const { path, label, source, bytes, modified, leftOut } = file;
  const base = { path, label, source, passages, bytes, modified };
  if (leftOut !== undefined) return { ...base, state: 'left-out', reason: leftOut };
  return { ...base, state: isStale ? 'stale' : 'indexed' };
}

/** One that belongs to the memory and is not read yet. */
export function describeFound({ path, label, source, bytes, modified }: FoundFile): MemoryFile {
  return { path, label, source, passages: 0, bytes, modified, state: 'stale' };
}
