import { isDeepStrictEqual } from 'node:util';
import { toDisposable, type Disposable } from '../base/disposable.ts';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import { errorMessage } from '../base/errors.ts';
import type { Emitter } from '../base/event.ts';
import { describeConfig } from '../config/describeConfig.ts';
import { configPaths, loadConfig, type LoadedConfig } from '../config/loadConfig.ts';
import { forbidMore } from '../config/mergeConfig.ts';
import type { ConfigFile } from '../config/configSchema.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { FileSystem } from '../host/ports.ts';
import { createReadTracker } from '../host/createReadTracker.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import { registerConfiguredModels } from './configuredModels.ts';
import type { McpSide } from './createMcpSide.ts';
import type { OperatorSide } from './createOperatorSide.ts';
import type { LoadQueue } from './createTurnQueue.ts';
import type { WindowState } from './createWindowState.ts';
import type { AllPlugins } from './joinDialects.ts';
import type { RuntimeInput } from './runtime.ts';
import { stopWithin } from '../host/settlesWithin.ts';

interface ConfigReaderParts {
  readonly input: RuntimeInput;
  readonly window: WindowState;
  readonly changed: Emitter<void>;
  readonly models: ModelRegistry;
  readonly loading: LoadQueue;
}

/** Reads the config files of a window, and whatever follows from them alone. */
interface ConfigReader extends Disposable {
  /** Reads the files alone. */
  readonly readFiles: () => Promise<LoadedConfig>;
  /** Reads the files and takes over what follows from them: models, commands, the memory. */
  readonly read: () => Promise<void>;
  /** The same, after what is being loaded now. */
  readonly reload: () => Promise<void>;
  /** Whether a file is different from what was read. */
  readonly isOutdated: () => Promise<boolean>;
  /**
   * Takes over what changed config files forbid of tools, whether turns run or not; for each call, before it is judged. What else has
   * changed waits for `read`. Resolves after 2 s at the latest. Never rejects.
   */
  readonly takeDenials: () => Promise<void>;
  /** `step` reads other files that belong to the config, each time and by `fs`. */
  readonly onFiles: (step: (fs: FileSystem) => Promise<void>) => void;
  /** `step` takes the config over, each time it was read. Steps run in the order in which they came. */
  readonly onRead: (step: () => void | Promise<void>) => void;
}

/** How long a call waits for a look at the config files. */
const denialsMs = 2_000;

export function createConfigReader(parts: ConfigReaderParts): ConfigReader {
  const { window, changed, models, loading } = parts;
  const { host, home } = parts.input;
  const reads = createReadTracker(host.fs);
  const ofFiles: ((fs: FileSystem) => Promise<void>)[] = [];
  const ofConfig: (() => void | Promise<void>)[] = [];
  let configured: Disposable | undefined;
  /** The config as it was read last, and what marked its files before that. */
  let last: { readonly config: LoadedConfig['config']; readonly stamps: readonly string[] } | undefined;

  const readNewest = async (fs: FileSystem): Promise<LoadedConfig> => {
    const known = last;
    const files = { home, folders: window.folders() };
    const stamps = await host.fs.stamps(configPaths(files));
    const loaded = await loadConfig(fs, files, window.loaded());
    // What a call has taken over meanwhile may be newer than what was read here.
    if (last !== known) return await readNewest(fs);
    window.setLoaded(loaded);
    last = { config: loaded.config, stamps };
    return loaded;
  };
  const readFiles = async (): Promise<LoadedConfig> =>
    await reads.record(async (fs) => {
      const loaded = await readNewest(fs);
      for (const step of ofFiles) await step(fs);
      return loaded;
    });
  const read = async (): Promise<void> => {
    window.forgetProblems();
    const { config } = await readFiles();
    configured?.dispose();
    configured = registerConfiguredModels(models, config, host, window.report);
    for (const step of ofConfig) await step();
    changed.fire();
  };
  const lookForDenials = async (): Promise<void> => {
    const known = last;
    if (known === undefined) return;
    const files = { home, folders: window.folders() };
    try {
      const stamps = await host.fs.stamps(configPaths(files));
      if (isDeepStrictEqual(stamps, known.stamps)) return;
      const newer = await loadConfig(host.fs, files, window.loaded());
      if (last !== known) {
        // What a load has taken over meanwhile may be older than what was read here.
        await lookForDenials();
        return;
      }
      last = { ...known, stamps };
      const { lastGood = new Map<string, ConfigFile>() } = newer;
      const config = forbidMore(known.config, newer.config);
      // A file that is broken next falls back on what counts now.
      window.setLoaded({ ...window.loaded(), config, lastGood });
    } catch (error) {
      window.report(changesNotTaken(error));
    }
  };
  const inTurn = createSerialQueue();
  let next: Promise<void> | undefined;
  /** All who ask while a look runs share the one after it: the running one may have passed what has changed since it began. */
  const shareLook = (): Promise<void> =>
    (next ??= inTurn(async () => {
      next = undefined;
      await lookForDenials();
    }));
  return {
    readFiles,
    read,
    reload: () => loading.run(read),
    isOutdated: () => reads.isOutdated(),
    async takeDenials() {
      const look = { isDone: false };
      await stopWithin(host.clock, denialsMs, async () => {
        await shareLook();
        look.isDone = true;
      });
      // A disk that hangs must not hold up every call: this one goes on with what is known. What is found later counts from then on.
      if (!look.isDone)
        host.log.write(
          'warn',
          'The disk took more than 2 s to look at: a call went by the config as it was known.',
        );
    },
    onFiles: (step) => void ofFiles.push(step),
    onRead: (step) => void ofConfig.push(step),
    dispose: () => configured?.dispose(),
  };
}

interface WorkspaceLoadsParts {
  readonly input: RuntimeInput;
  readonly window: WindowState;
  readonly changed: Emitter<void>;
  readonly configReader: ConfigReader;
  readonly plugins: AllPlugins;
  readonly operator: OperatorSide;
  readonly mcp: McpSide;
  /** Models that plugins bring. */
  readonly pluginModels: { readonly sync: () => Promise<void> };
}

/** Config, plugins and operator hooks, as they are read from the disk. */
interface WorkspaceLoads {
  /** Reads the config and loads plugins and hooks by it. */
  readonly load: () => Promise<void>;
  /** Whether something on disk is different from what was read. */
  readonly isOutdated: () => Promise<boolean>;
  /**
   * Loads what is different on disk from what was read; nothing where nothing is, or where the look took too long. Never rejects: no
   * watcher need have told.
   */
  readonly takeOver: (isInTime?: () => boolean) => Promise<void>;
  /** `take` gives the plugin files that the user has saved by hand since it was last asked, absolute paths. */
  readonly followSaves: (take: () => Promise<readonly string[]>) => Disposable;
}

/** What fails to load is a diagnostic; only a broken disk rejects. */
export function createWorkspaceLoads(parts: WorkspaceLoadsParts): WorkspaceLoads {
  const { window, changed, configReader, plugins, operator, mcp, pluginModels } = parts;
  const { host } = parts.input;
  const savesByHand = new Set<() => Promise<readonly string[]>>();
  /** Files that were saved by hand, and are not taken over yet. */
  const saved = new Set<string>();
  /** The config by which plugins and hooks were loaded. */
  let applied: LoadedConfig['config'] | undefined;

  const scope = (): { readonly roots: readonly string[]; readonly trusted: boolean } => ({
    roots: window.folders(),
    trusted: window.isTrusted(),
  });
  const loadHooks = (): Promise<void> =>
    operator.load({
      ...scope(),
      config: window.loaded().config.hooks,
      hostConfig: describeConfig(window.config(), window.folders()[0]),
    });
  const load = async (): Promise<void> => {
    await configReader.read();
    const { config } = window.loaded();
    await Promise.all([plugins.load({ ...scope(), config: config.plugins }), loadHooks()]);
    await mcp.pluginsLoaded();
    await pluginModels.sync();
    applied = window.loaded().config;
    changed.fire();
  };
  const findOutdated = async (): Promise<Record<'isOutdated' | 'isPlugins' | 'isHooks', boolean>> => {
    const [isOutdated, isPlugins, isHooks] = await Promise.all([
      configReader.isOutdated(),
      plugins.isOutdated(),
      operator.hooks.isOutdated(),
    ]);
    return { isOutdated, isPlugins, isHooks };
  };
  return {
    load,
    isOutdated: async () => Object.values(await findOutdated()).includes(true),
    // Threat: the agent, or another program, changes a plugin that the user has allowed. Only what the editor has seen the user save may
    // renew a consent (docs/plugins.md); whatever else is different is loaded as far as the user has agreed to it.
    takeOver: async (isInTime = () => true) => {
      try {
        for (const take of savesByHand) (await take()).forEach((path) => saved.add(path));
        const { isOutdated, isPlugins, isHooks } = await findOutdated();
        if (!isInTime()) {
          host.log.write(
            'warn',
            'The disk took more than 2 s to look at: this turn began with what was loaded.',
          );
          return;
        }
        // Whoever changes a setting reads what somebody else has changed along with it.
        const isConfig = isOutdated || !isDeepStrictEqual(applied, window.loaded().config);
        if (isConfig) await load();
        else {
          if (isHooks) await loadHooks();
          // Servers that would not start may be as they were agreed to again.
          await mcp.look('invalidated');
        }
        if (saved.size === 0 && (isConfig || !isPlugins)) return;
        const taken = [...saved];
        await plugins.filesChanged(taken);
        await mcp.pluginsLoaded();
        taken.forEach((path) => saved.delete(path));
        await pluginModels.sync();
      } catch (error) {
        window.report(changesNotTaken(error));
      }
    },
    followSaves(take) {
      savesByHand.add(take);
      return toDisposable(() => savesByHand.delete(take));
    },
  };
}

function changesNotTaken(error: unknown): Diagnostic {
  return {
    level: 'error',
    code: 'changes_not_taken',
    message: `Changes on disk could not be loaded: ${errorMessage(error)}`,
    hint: 'Run "Pincer: Reload All Plugins" to try again.',
  };
}
