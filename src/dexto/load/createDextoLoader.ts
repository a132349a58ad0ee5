import { join } from 'node:path';
import { dextoIdPrefix } from '../../plugins/pluginTypes.ts';
import type { Clock, Log } from '../../host/ports.ts';
import type { CallGuard } from '../../plugins/createCallGuard.ts';
import type { HangGuard } from '../../plugins/createHangGuard.ts';
import { createModuleLoader, type ModuleLoader } from '../../plugins/load/createModuleLoader.ts';
import { pluginFolderName } from '../../plugins/pluginFolderName.ts';
import { cleanUpPlugins } from './cleanUpPlugins.ts';
import { createDextoModules } from './createDextoModules.ts';
import { loadDextoPlugin } from './loadDextoPlugin.ts';
import type { DextoLoader, CheckedPlugin, DextoFailure } from './loadTypes.ts';
import { planOrder } from './planOrder.ts';
import { resolveDextoModule } from './resolveDextoModule.ts';
import { errorMessage } from '../../base/errors.ts';
import { copyData } from '../../base/untrusted.ts';
import { protectGlobals } from '../../plugins/register/protectGlobals.ts';
import { withDeadline } from '../../plugins/withDeadline.ts';
import { codeFailure } from './codeFailure.ts';
import { hangContentOf, initializeIdOf } from './entryFileOf.ts';
import { loadFailure } from './loadFailure.ts';

interface DextoLoaderParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Holds `plugin-state/<plugin>`. */
  readonly stateDir: string;
  /** The one of the window, so that plugins of both dialects are not blamed for each other. */
  readonly hangGuard: HangGuard;
  /** The one of the window; without it no call of a plugin is skipped. */
  readonly callGuard?: CallGuard;
  /** Where the code of plugins comes from; default: their files. */
  readonly modules?: ModuleLoader;
}

/** Everything that has to do with the code of Dexto plugins, over the module loader that OpenClaw plugins have. */
export function createDextoLoader(parts: DextoLoaderParts): DextoLoader {
  const { clock, hangGuard, modules: loader = createFileModules(parts) } = parts;
  return {
    resolve: resolveDextoModule,
    load: (code) => loadDextoPlugin({ ...parts, loader }, code),
    planOrder,
    initialize: (plugin, agentFile) => initializeDextoPlugin({ clock, hangGuard }, plugin, agentFile),
    cleanUp: (plugins) => cleanUpPlugins(clock, plugins),
  };
}

function createFileModules({ log, stateDir }: DextoLoaderParts): ModuleLoader {
  return createModuleLoader({
    ...{ log, stateDir },
    provided: ({ id }) =>
      createDextoModules({
        name: id.slice(dextoIdPrefix.length),
        stateDir: join(stateDir, 'plugin-state', pluginFolderName(id)),
      }),
  });
}

/** How long a plugin may take to initialize itself. Milliseconds. */
const timeoutMs = 30_000;

/**
 * Lets a plugin initialize itself with a copy of its settings (Dexto plugin specification, Initialization Behavior); an empty object where the
 * agent file gives none. Never rejects. What it does after its time is ignored.
 */
async function initializeDextoPlugin(
  { clock, hangGuard }: { readonly clock: Clock; readonly hangGuard: HangGuard },
  checked: CheckedPlugin,
  agentFile: string,
): Promise<{ readonly ok: true } | DextoFailure> {
  const { plugin, entry, code } = checked;
  const { instance } = plugin;
  const run = async (): Promise<void> => {
    // What it returns counts only as the end of its work.
    const { result } = protectGlobals((): unknown => instance.initialize?.(copyData(entry.config)));
    await withDeadline(Promise.resolve(result), timeoutMs, clock);
  };
  try {
    if (code === undefined) await run();
    else await hangGuard.watch(initializeIdOf(entry.name), hangContentOf(code), run);
    return { ok: true };
  } catch (error) {
    if (code !== undefined) return codeFailure(code, 'initialize', error);
    const message = plugin.redact(`plugin '${entry.name}' could not be initialized: ${errorMessage(error)}`);
    return loadFailure({
      ...{ entry, agentFile, message },
      phase: 'register',
      code: 'PLUGIN_INITIALIZATION_FAILED',
    });
  }
}
