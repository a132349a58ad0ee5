import { isAbsolute, join } from 'node:path';
import { findFileAt } from '../../files/findMemoryFiles.ts';
import type { MemoryFile } from '../../memory.ts';
import type { MemorySettings } from '../../memorySettings.ts';
import { describeFile, describeFound } from './describeFiles.ts';
import { findContext } from '../findContext.ts';
import type { OpenEngine } from '../openEngine.ts';

/** The file that a label or a path names, where the index holds it or is to, forgotten ones included. */
export async function findFile(engine: OpenEngine, file: string): Promise<MemoryFile | undefined> {
  const { deps, state, forgotten, work } = engine;
  const { index, settings } = state;
  const orForgotten = (each: MemoryFile): MemoryFile =>
    forgotten.has(each.path) ? { ...each, passages: 0, state: 'forgotten' } : each;
  const known = index.file(file) ?? [...index.files().values()].find(({ label }) => label === file);
  if (known !== undefined) {
    const isStale = work()?.changes.has(known.path) ?? false;
    return orForgotten(describeFile(known, index.store.passagesByFile().get(known.path) ?? 0, isStale));
  }
  for (const path of pathsFor(file, settings)) {
    const found = await findFileAt(findContext(deps, settings), path);
    if (found !== undefined) return orForgotten(describeFound(found));
  }
  return undefined;
}

/** The absolute paths that a label or a path can mean, the likeliest first. */
function pathsFor(file: string, { roots, extraPaths }: MemorySettings): readonly string[] {
  if (isAbsolute(file)) return [file];
  const [name, ...rest] = file.split('/');
  const named = roots.filter((root) => root.name === name && rest.length > 0);
  return [
    ...named.map((root) => join(root.path, ...rest)),
    ...roots.map((root) => join(root.path, file)),
    ...extraPaths.map((path) => join(path, file)),
  ];
}
