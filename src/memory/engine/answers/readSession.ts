import { readMemoryFile } from '../../files/readMemoryFile.ts';
import type { OpenEngine } from '../openEngine.ts';

/** What was said in a session, as passages count its lines; undefined where it is not indexed or gone. */
export async function readSession(
  { deps, state, forgotten }: OpenEngine,
  label: string,
): Promise<string | undefined> {
  const known = [...state.index.files().values()].find(
    (file) => file.source === 'sessions' && file.label === label && !forgotten.has(file.path),
  );
  const result = known && (await readMemoryFile(deps.fs, known));
  return result?.kind === 'text' ? result.text : undefined;
}
