import { Ajv } from 'ajv';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as zod from 'zod';
import type { HostModules } from '../load/hostModules.ts';
import { libraryFiles } from './libraryFiles.ts';

/** Libraries that the program has anyway. */
const own: Readonly<Record<string, unknown>> = { ajv: Ajv, zod, 'zod/v4': zod };

/**
 * What plugins import without bringing it. A plugin's own packages come first; nothing is read from disk before a plugin
 * asks. From the sources the libraries come out of node_modules.
 */
export function createLibraries(): HostModules {
  const here = fileURLToPath(import.meta.url);
  const require = createRequire(here);
  return (name) => {
    if (Object.hasOwn(own, name)) return { exports: own[name] };
    const file = Object.keys(libraryFiles).find((each) => libraryFiles[each]?.includes(name));
    if (file === undefined) return undefined;
    const bundle = join(dirname(here), 'plugin-sdk', 'libs', `${file}.js`);
    if (!existsSync(bundle)) return { exports: require(name) };
    const entries = require(bundle) as Readonly<Record<string, () => unknown>>;
    return { exports: entries[name]?.() };
  };
}
