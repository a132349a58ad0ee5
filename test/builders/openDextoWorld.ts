import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtIns } from '../../src/dexto/builtins/builtIns.ts';
import { createInMemoryLog, type InMemoryLog } from './inMemoryLog.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import type { Clock } from '../../src/host/ports.ts';
import { createConsentStore } from '../../src/plugins/consent/consentStore.ts';
import { createHangGuard } from '../../src/plugins/createHangGuard.ts';
import { createDextoLoader } from '../../src/dexto/load/createDextoLoader.ts';
import { createDextoPlugins, type DextoPlugins } from '../../src/dexto/load/createDextoPlugins.ts';
import type { DextoLoadInput } from '../../src/dexto/load/findAgentFile.ts';
import type { PluginRecord, PluginsConfig } from '../../src/plugins/pluginTypes.ts';
import { createDextoAdapter } from '../../src/dexto/createDextoAdapter.ts';
import type { ExecutionContext } from '../../src/dexto/dextoTypes.ts';
import { firePoints, type TestPoints } from './openExtensionPoints.ts';

/** A plugin of an agent file, and what its code does. */
export interface DextoPluginText {
  readonly name: string;
  readonly priority: number;
  /** It adds this to every request. Default its name. */
  readonly says?: string;
  /** Statements of its `initialize`, after it has noted that it ran. */
  readonly initialize?: string;
  /** Default true. */
  readonly blocking?: boolean;
  /** More lines of its entry, such as `config: { limit: 3 }`. */
  readonly entry?: readonly string[];
}

export interface DextoWorld {
  readonly plugins: DextoPlugins;
  readonly points: TestPoints;
  readonly log: InMemoryLog;
  /** Absolute, links resolved; holds the workspace `w`, the user's home and the state folder. */
  readonly root: string;
  /** `<plugin> loads`, `<plugin> begins` and `<plugin> ends`, as they happened. */
  readonly events: readonly string[];
  /** Forgets what has happened. */
  clear(): void;
  /** Absolute path of `<folder>/agent.yml`; default that of the workspace. */
  agentFile(folder?: string): string;
  /** Writes a file below the root. */
  write(path: string, text: string): Promise<string>;
  /** Writes an agent file and the code of its plugins, in a folder for each. `more` are other sections. */
  writeAgent(plugins: readonly DextoPluginText[], more?: string, folder?: string): Promise<void>;
  /** Code of a plugin, in the folder of the workspace's agent file. */
  writeCode(plugin: Pick<DextoPluginText, 'name' | 'says' | 'initialize'>, folder?: string): Promise<string>;
  load(input?: Partial<DextoLoadInput>): Promise<void>;
  /** Loads, and agrees to every plugin that waits. */
  loadAndAgree(): Promise<void>;
  /** What becomes of a request without words. */
  ask(): Promise<string>;
  /** `<name> <status>` of each. */
  states(): readonly string[];
  record(name: string): PluginRecord;
  close(): Promise<void>;
}

export const noPluginsConfig: PluginsConfig = {
  enabled: true,
  allow: [],
  deny: [],
  load: { paths: [] },
  required: [],
  slots: {},
  entries: {},
};

/** Real plugins from real files. One at a time: what plugins do is noted in a global. */
export async function openDextoWorld(
  parts: {
    readonly clock?: Clock;
    readonly env?: Readonly<Record<string, string>>;
    readonly isTrusted?: () => boolean;
  } = {},
): Promise<DextoWorld> {
  const { clock = systemClock, env = {}, isTrusted } = parts;
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-dexto-')));
  const fs = createNodeFileSystem();
  const log = createInMemoryLog();
  const stateDir = join(root, 'state');
  const home = join(root, 'home', '.pincer');
  const events: string[] = [];
  Reflect.set(globalThis, 'dextoEvents', events);
  const hangGuard = createHangGuard({ fs, clock, stateDir });
  const plugins = createDextoPlugins({
    ...{ fs, clock, log, env, home, stateDir, builtIns },
    ...(isTrusted === undefined ? {} : { isTrusted }),
    consents: createConsentStore(fs, home),
    loader: createDextoLoader({ clock, log, stateDir, hangGuard }),
    createAdapter: ({ profiled }) =>
      createDextoAdapter({
        clock,
        log: createInMemoryLog(),
        profiled,
        context: () => ({}) as ExecutionContext,
      }),
  });
  const points = firePoints(plugins.points, clock);

  const write: DextoWorld['write'] = async (path, text) => {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  const writeCode: DextoWorld['writeCode'] = (plugin, folder = 'w/.pincer') =>
    write(`${folder}/dexto/${plugin.name}/index.js`, codeOf(plugin));
  const load: DextoWorld['load'] = (input = {}) =>
    plugins.load({ roots: [join(root, 'w')], trusted: true, config: noPluginsConfig, ...input });

  return {
    ...{ plugins, points, log, root, events, write, writeCode, load },
    clear: () => void events.splice(0),
    agentFile: (folder = 'w/.pincer') => join(root, folder, 'agent.yml'),
    async writeAgent(list, more = '', folder = 'w/.pincer') {
      for (const plugin of list) await writeCode(plugin, folder);
      const custom = list.length === 0 ? '[]' : `\n${list.map(entryOf).join('\n')}`;
      await write(`${folder}/agent.yml`, `plugins:\n  custom: ${custom}\n${more}`);
    },
    async loadAndAgree() {
      await load();
      for (const { id, needsConsent } of plugins.plugins())
        if (needsConsent !== undefined) await plugins.grantConsent(id);
    },
    async ask() {
      const outcome = await points.run('beforeLLMRequest', { text: '' });
      return outcome.payload.text.trim();
    },
    states: () => plugins.plugins().map(({ name, status }) => `${name} ${status}`),
    record(name) {
      const found = plugins.plugins().find((each) => each.name === name);
      if (found === undefined) throw new Error(`There is no plugin ${name}.`);
      return found;
    },
    async close() {
      await plugins.close();
      Reflect.deleteProperty(globalThis, 'dextoEvents');
      await rm(root, { recursive: true, force: true });
    },
  };
}

function codeOf({ name, says = name, initialize = '' }: Omit<DextoPluginText, 'priority'>): string {
  return `globalThis.dextoEvents.push('${name} loads');
export default class {
  async initialize(config) { globalThis.dextoEvents.push('${name} begins'); ${initialize} }
  async beforeLLMRequest({ text }) { return { ok: true, modify: { text: text + ' ${says}' } }; }
  async cleanup() { globalThis.dextoEvents.push('${name} ends'); }
}
`;
}

function entryOf({ name, priority, blocking = true, entry = [] }: DextoPluginText): string {
  const module = `"\${{dexto.agent_dir}}/dexto/${name}/index.js"`;
  const lines = [
    `name: ${name}`,
    `module: ${module}`,
    `blocking: ${String(blocking)}`,
    `priority: ${String(priority)}`,
  ];
  return [...lines, ...entry].map((line, index) => `${index === 0 ? '    - ' : '      '}${line}`).join('\n');
}
