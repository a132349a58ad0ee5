import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, sep } from 'node:path';
import type { Jiti } from 'jiti';
import { createVirtualModules, mentionsVirtualModule } from '../openclaw/createVirtualModules.ts';

/** Loads the code of plugins; TypeScript and JavaScript, ES modules and CommonJS. */
export interface ModuleLoader {
  /**
   * Evaluates a plugin's entry and what it imports, always anew: nothing of an earlier load is reused.
   * @throws whatever the plugin's code throws, or the parser's error
   */
  load(plugin: PluginCode): Promise<unknown>;
  /** Lets go of what Node keeps of a plugin's modules; to be called when that version is unloaded. */
  forget(rootDir: string): void;
}

export interface PluginCode {
  readonly id: string;
  readonly entry: string;
  readonly rootDir: string;
  /** Keeps transpiled files between processes. */
  readonly cacheDir: string;
}

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.mtsx', '.ctsx', '.js', '.mjs', '.cjs', '.json'];

/** A loader on jiti, which is fetched at the first load; transpiling TypeScript for the first time takes some 200 ms. */
export function createModuleLoader(): ModuleLoader {
  return {
    forget: forgetModules,
    async load({ id, entry, rootDir, cacheDir }) {
      const { createJiti } = await import('jiti');
      forgetModules(rootDir);
      const jiti = createJiti(entry, {
        fsCache: cacheDir,
        moduleCache: false,
        interopDefault: true,
        extensions,
        virtualModules: createVirtualModules(id),
      });
      return await evaluate(jiti, entry);
    },
  };
}

/**
 * Synchronous loading first: it transpiles every kind of file, so that nothing stays in Node's cache of ES modules. A module
 * with an `await` outside of functions does not parse that way and is loaded asynchronously.
 */
async function evaluate(jiti: Jiti, entry: string): Promise<unknown> {
  try {
    const source = readFileSync(entry, 'utf8');
    return jiti.evalModule(source, {
      id: entry,
      filename: entry,
      ext: extname(entry),
      async: false,
      // jiti gives CommonJS to Node first, which knows no virtual modules, and evaluates it again when that fails.
      ...(mentionsVirtualModule(source) ? { forceTranspile: true } : {}),
    });
  } catch (error) {
    if (!(error instanceof SyntaxError) || !error.message.includes('await')) throw error;
    return await jiti.import(entry);
  }
}

/** Takes a plugin's CommonJS and JSON modules out of Node's own cache, where jiti leaves them. */
function forgetModules(rootDir: string): void {
  const { cache } = createRequire(join(rootDir, 'index.js'));
  for (const file of Object.keys(cache)) {
    if (file.startsWith(`${rootDir}${sep}`)) Reflect.deleteProperty(cache, file);
  }
}
