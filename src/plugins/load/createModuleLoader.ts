import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import type { Jiti } from 'jiti';
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../host/ports.ts';
import type { onDiagnosticEvent } from '../../sdk/hostFunctions.ts';
import { createHostFunctions } from '../openclaw/createHostFunctions.ts';
import { createLibraries } from '../openclaw/createLibraries.ts';
import { createSdkModules, createVirtualModules } from '../openclaw/sdkModules.ts';
import { protectGlobals } from '../register/protectGlobals.ts';
import { pluginFolderName } from '../pluginFolderName.ts';
import { compileModule } from './compileModule.ts';
import { createModuleGraph } from './createModuleGraph.ts';
import { createResolver } from './createResolver.ts';
import { createTranspile, maker } from './createTranspile.ts';
import { createTranspileCache } from './createTranspileCache.ts';
import type { HostModules } from './hostModules.ts';
import { parseJsonModule } from './parseJsonModule.ts';

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
  /** Keeps transpiled files between processes and versions of the plugin. */
  readonly cacheDir: string;
  /** Told which globals the code had damaged; `repaired` are put back by then, `lost` could not be. */
  readonly onRepaired?: (repaired: readonly string[], lost: readonly string[]) => void;
  /** Takes the secrets of its settings out of what its code logs. */
  readonly redact?: (text: string) => string;
  /** Adds a listener of the host's diagnostic events, and gives what takes it away again. */
  readonly onDiagnosticEvent?: typeof onDiagnosticEvent;
}

/** What the SDK's functions reach of the host. */
interface LoaderHost {
  readonly log: Log;
  /** Holds `plugin-state/<plugin>`. */
  readonly stateDir: string;
  /** What plugins of this dialect import that is no file; default: OpenClaw's SDK. */
  readonly provided?: (plugin: PluginCode) => HostModules;
}

/** Fetches the transpiler at the first load; transpiling TypeScript for the first time takes some 200 ms. */
export function createModuleLoader(host: LoaderHost = standAlone()): ModuleLoader {
  const libraries = createLibraries();
  const { provided = (plugin: PluginCode) => openClawModules(host, plugin) } = host;
  return {
    forget: forgetModules,
    async load(plugin) {
      const { id, entry, rootDir, cacheDir, onRepaired } = plugin;
      const { createJiti } = await import('jiti');
      let jiti: Jiti | undefined;
      const resolver = createResolver();
      const transpile = createTranspile(
        // Its own cache goes by paths, which differ from version to version of a plugin.
        () => (jiti ??= createJiti(entry, { fsCache: false, moduleCache: false })),
        createTranspileCache(cacheDir, maker),
      );
      const graph = createModuleGraph({
        pluginId: id,
        rootDir,
        resolver,
        source: {
          compile: (path, async) =>
            compileModule({ path, packageType: resolver.packageType(path), async, transpile }),
          readJson: (path) => parseJsonModule(path, readFileSync(path, 'utf8')),
          // Windows has a short name, too, which does not say what was left out of the list that was agreed to.
          nameOf: (path) => realpathSync.native(path),
        },
        provided: provided(plugin),
        libraries,
      });
      const { result, repaired, lost } = protectGlobals(() => graph.load(entry));
      if (repaired.length + lost.length > 0) onRepaired?.(repaired, lost);
      return await result;
    },
  };
}

function openClawModules(
  { log, stateDir }: LoaderHost,
  { id, redact, onDiagnosticEvent }: PluginCode,
): HostModules {
  return createVirtualModules(id, (requireFrom) =>
    createSdkModules(
      createHostFunctions({
        ...(requireFrom === undefined ? {} : { requireFrom }),
        pluginId: id,
        log,
        ...(redact === undefined ? {} : { redact }),
        ...(onDiagnosticEvent === undefined ? {} : { onDiagnosticEvent }),
        stateDir: join(stateDir, 'plugin-state', pluginFolderName(id)),
      }),
    ),
  );
}

/** A loader without a program around it. */
function standAlone(): LoaderHost {
  return {
    log: { write: (level, message) => console[level](errorMessage(message)) },
    stateDir: join(tmpdir(), 'pincer'),
  };
}

/** Takes what a plugin has loaded past its own `require` out of Node's cache. */
function forgetModules(rootDir: string): void {
  const { cache } = createRequire(join(rootDir, 'index.js'));
  for (const file of Object.keys(cache)) {
    if (file.startsWith(`${rootDir}${sep}`)) Reflect.deleteProperty(cache, file);
  }
}
