import { join } from 'node:path';
import { createGenerationWatch } from '../../store/createGenerationWatch.ts';
import { loadSqlite } from '../../../host/loadSqlite.ts';
import { openStore } from '../../store/openStore.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import type { Problems } from '../createProblems.ts';
import type { EngineDeps } from '../engineDeps.ts';
import { loadIndex } from './loadIndex.ts';

/** The index on disk, and how it becomes one in use. */
export interface IndexFile {
  /** Absolute path. */
  readonly path: string;
  /** What the file holds now; an empty one where that can't be used, which is a problem until a look at all files is done. */
  open(): Promise<LiveIndex>;
  /** An empty one, which takes the place of the file at its first save, as the generation after this one. */
  openFresh(generation: number): Promise<LiveIndex>;
  /** True where the file changed since `open`. */
  hasMoved(): Promise<boolean>;
}

/** @throws PincerError `database_engine_broken` where sql.js can't be had */
export async function openIndexFile(
  { fs, place }: Pick<EngineDeps, 'fs' | 'place'>,
  problems: Problems,
): Promise<IndexFile> {
  const path = join(place.folder, 'index.sqlite');
  const sqlite = await loadSqlite(fs, place.wasmFile);
  const watch = createGenerationWatch({ fs, file: path });
  const options = { fs, sqlite, file: path };
  return {
    path,
    async open() {
      await watch.mark();
      const { store, state, problem } = await openStore(options);
      problems.set(
        'unusable',
        state === 'unusable'
          ? {
              level: 'warn',
              code: 'memory_index_unusable',
              message: `The index of the memory can't be used, so it is made anew: ${problem ?? ''}`,
              source: path,
            }
          : undefined,
      );
      return loadIndex(store);
    },
    async openFresh(generation) {
      const nothing = { ...options, fs: { ...fs, stat: () => Promise.resolve(undefined) }, generation };
      return loadIndex((await openStore(nothing)).store);
    },
    hasMoved: () => watch.hasMoved(),
  };
}
