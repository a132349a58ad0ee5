import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stableStringify } from '../../base/json.ts';
import type { DextoCode } from './loadTypes.ts';

/** The entry file as it is loaded. */
export function entryFileOf({ codeDir, rootDir, source }: DextoCode): string {
  return join(codeDir, relative(rootDir, source));
}

/** What stands for a plugin that hung: with another file, another copy or other settings it is tried again. */
export function hangContentOf(code: DextoCode): string {
  const changed = statSync(entryFileOf(code), { throwIfNoEntry: false })?.mtimeMs;
  return stableStringify([code.source, code.codeDir, changed, code.entry.config]);
}
