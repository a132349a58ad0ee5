import { findFileAt } from '../../files/findFileAt.ts';
import type { MemoryFile } from '../../memory.ts';
import { describeFile, describeFound, pathsFor } from './describeFiles.ts';
import { findContext } from '../findContext.ts';
import type { OpenEngine } from '../openEngine.ts';

/** The file that a label or a path names, where the index holds it or is to (rulings M4). A forgotten one is none. */
export async function findFile(engine: OpenEngine, file: string): Promise<MemoryFile | undefined> {
  const { deps, state, forgotten, work } = engine;
  const { index, settings } = state;
  const known = index.file(file) ?? [...index.files().values()].find(({ label }) => label === file);
  if (known !== undefined) {
    if (forgotten.has(known.path)) return undefined;
    const isStale = work()?.changes.has(known.path) ?? false;
    return describeFile(known, index.store.passagesByFile().get(known.path) ?? 0, isStale);
  }
  for (const path of pathsFor(file, settings)) {
    const found = await findFileAt(findContext(deps, settings), path);
    if (found !== undefined && !forgotten.has(found.path)) return describeFound(found);
  }
  return undefined;
}
