import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stableStringify } from '../../base/json.ts';
import { dextoIdPrefix } from '../../plugins/pluginTypes.ts';
import type { DextoCode } from './loadTypes.ts';

/** The entry file as it is loaded. */
export function entryFileOf({ codeDir, rootDir, source }: DextoCode): string {
  return join(codeDir, relative(rootDir, source));
}

/** What marks of `initialize` go by: a plugin that hangs there has loaded well, and that must not take them away. */
export function initializeIdOf(name: string): string {
  return `initialize of ${dextoIdPrefix}${name}`;
}

/** What stands for a plugin that hung: with another file, another copy or other settings it is tried again. */
export function hangContentOf(code: DextoCode): string {
  const changed = statSync(entryFileOf(code), { throwIfNoEntry: false })?.mtimeMs;
  return stableStringify([code.source, code.codeDir, changed, code.entry.config]);
}
