import { join } from 'node:path';
import { dextoIdPrefix } from '../../plugins/pluginTypes.ts';
import type { Clock, Log } from '../../host/ports.ts';
import type { CallGuard } from '../../plugins/createCallGuard.ts';
import type { HangGuard } from '../../plugins/createHangGuard.ts';
import { createModuleLoader, type ModuleLoader } from '../../plugins/load/createModuleLoader.ts';
import { pluginFolderName } from '../../plugins/pluginFolderName.ts';
import { cleanUpPlugins } from './cleanUpPlugins.ts';
import { createDextoModules } from './createDextoModules.ts';
import { initializeDextoPlugin } from './initializeDextoPlugin.ts';
import { loadDextoPlugin } from './loadDextoPlugin.ts';
import type { DextoLoader } from './loadTypes.ts';
import { planOrder } from './planOrder.ts';
import { resolveDextoModule } from './resolveDextoModule.ts';

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
