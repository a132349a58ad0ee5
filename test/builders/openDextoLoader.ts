import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PluginEntry } from '../../src/dexto/agentFile/agentFile.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { createInMemoryLog, type InMemoryLog } from './inMemoryLog.ts';
import type { Clock } from '../../src/host/ports.ts';
import { createHangGuard } from '../../src/plugins/createHangGuard.ts';
import { createDextoLoader } from '../../src/dexto/load/createDextoLoader.ts';
import type { CheckedPlugin, DextoLoader, DextoLoadOutcome } from '../../src/dexto/load/loadTypes.ts';
import { createConfigRedactor } from '../../src/plugins/manifest/createConfigRedactor.ts';

/** An entry of an agent file with what most have. */
export function dextoEntry(name: string, more: Partial<PluginEntry> = {}): PluginEntry {
  return {
    kind: 'custom',
    name,
    enabled: true,
    blocking: true,
    priority: 10,
    timeoutMs: 5_000,
    config: {},
    dependsOn: [],
    line: 1,
    ...more,
  };
}

/** What may differ between loads. */
export interface LoadChange {
  readonly entry?: Partial<PluginEntry>;
  /** Text that no message may hold. */
  readonly secret?: string;
  /** Default: the folder of the file. */
  readonly rootDir?: string;
  readonly force?: boolean;
}

export interface DextoLoaderWorld {
  readonly loader: DextoLoader;
  readonly log: InMemoryLog;
  /** Absolute, links resolved; holds `agent`. */
  readonly root: string;
  /** The agent's folder. */
  readonly dir: string;
  /** The agent file; it is never read. */
  readonly agentFile: string;
  /** Writes files below the agent's folder. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Resolves and loads a file below the agent's folder, or a package, as the plugin `name`. */
  load(name: string, module: string, change?: LoadChange): Promise<DextoLoadOutcome>;
  /** The same for one that must load; initialized. */
  ready(name: string, module: string, change?: LoadChange): Promise<CheckedPlugin>;
  close(): Promise<void>;
}

/** The real loader over an empty agent's folder. */
export async function openDextoLoader(clock: Clock = systemClock): Promise<DextoLoaderWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-dexto-')));
  const dir = join(root, 'agent');
  await mkdir(dir);
  const stateDir = join(root, 'state');
  const log = createInMemoryLog();
  const hangGuard = createHangGuard({ fs: createNodeFileSystem(), clock, stateDir });
  const loader = createDextoLoader({ clock, log, stateDir, hangGuard });
  const agentFile = join(dir, 'agent.yml');

  const load: DextoLoaderWorld['load'] = async (name, module, change = {}) => {
    const isPackage = module.startsWith('@') || !/[./]/u.test(module);
    const entry = dextoEntry(name, { module: isPackage ? module : join(dir, module), ...change.entry });
    const found = await loader.resolve(entry, { path: agentFile, dir });
    if (!found.ok) return found;
    const rootDir = change.rootDir ?? found.packageDir ?? dirname(found.source);
    return await loader.load({
      ...{ ...found, entry, agentFile, rootDir, codeDir: rootDir },
      cacheDir: join(stateDir, 'transpiled'),
      redact: createConfigRedactor(change.secret === undefined ? [] : [change.secret]),
      ...(change.force === undefined ? {} : { force: change.force }),
    });
  };

  return {
    ...{ loader, log, root, dir, agentFile, load },
    async write(files) {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(dir, name)), { recursive: true });
        await writeFile(join(dir, name), text);
      }
    },
    copy: (from, to) => cp(from, join(dir, to), { recursive: true }),
    async ready(name, module, change) {
      const outcome = await load(name, module, change);
      if (!outcome.ok) throw new Error(outcome.message);
      const initialized = await loader.initialize(outcome, agentFile);
      if (!initialized.ok) throw new Error(initialized.message);
      return outcome;
    },
    close: () => rm(root, { recursive: true, force: true }),
  };
}
