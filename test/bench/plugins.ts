import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { runProgram } from '../../scripts/runProgram.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../src/host/createInMemorySecrets.ts';
import { createNodeHost } from '../../src/host/node/createNodeHost.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { readPluginFiles } from '../../src/plugins/consent/readPluginFiles.ts';
import { createModuleLoader } from '../../src/plugins/load/createModuleLoader.ts';
import { ensureSnapshot } from '../../src/plugins/load/ensureSnapshot.ts';
import { createRuntime } from '../../src/runtime/createRuntime.ts';
import { createDiskFiles } from '../../src/tools/createDiskFiles.ts';
import type { Bench } from './bench.ts';
import { median, medianFigure } from './medianFigure.ts';

const count = 50;
const rounds = 5;
/** Turns that begin, in each round. */
const looks = 40;
/** TypeScript files of the plugin that is edited. */
const files = 30;

/**
 * `pincer plugins list` with 50 plugins in the user's home, every second one TypeScript: the first time, when they are
 * snapshotted and transpiled, and again. The figures are what that takes beyond a home without plugins. Besides: a whole start with one plugin
 * whose folder is large, where reading and copying its files is what counts; what a saved
 * file costs within one process, from reading the plugin's files to its evaluated code, and what each turn pays for looking
 * whether anything has changed: config, agent file, hooks and the plugins of home and program.
 */
export const bench: Bench = {
  name: 'plugins',
  needsEditor: false,
  async run() {
    const cold: number[] = [];
    const warm: number[] = [];
    const edited: number[] = [];
    const looked: number[] = [];
    const heavy: number[] = [];
    const heavyAgain: number[] = [];
    const top = await mkdtemp(join(tmpdir(), 'pincer-bench-'));
    try {
      for (let round = 0; round < rounds; round += 1) {
        const root = join(top, String(round));
        const empty = join(root, 'empty');
        const full = join(root, 'full');
        await mkdir(empty, { recursive: true });
        for (let at = 0; at < count; at += 1) await writePlugin(join(full, 'plugins'), at);
        await listPlugins(empty, 0);
        const base = await listPlugins(empty, 0);
        cold.push((await listPlugins(full, count)) - base);
        warm.push((await listPlugins(full, count)) - base);
        const big = join(root, 'big');
        await writePlugin(join(big, 'plugins'), 0);
        await writePackages(join(big, 'plugins', 'bench-0'));
        heavy.push(await listPlugins(big, 1));
        heavyAgain.push(await listPlugins(big, 1));
        edited.push(await timeOfEdit(root, round));
        looked.push(await timeOfLook(root, full));
      }
    } finally {
      // Not after each round: ext4 passes over the inodes of removed files for minutes, and past thousands of them each new file costs the
      // next round up to thirty times as much.
      await rm(top, { recursive: true });
    }
    return [
      medianFigure(`loading ${count} plugins, cold`, 'ms', cold),
      medianFigure(`loading ${count} plugins, warm`, 'ms', warm),
      medianFigure('first start with a plugin of 50 MB, its packages included', 'ms', heavy, {
        below: 1_000,
      }),
      medianFigure('the same start again', 'ms', heavyAgain),
      medianFigure(`loading 1 plugin of ${files} files, one of them edited`, 'ms', edited),
      medianFigure(`looking at ${count} plugins of which none has changed`, 'ms', looked, { below: 5 }),
    ];
  },
};

/** Packages as a plugin's development needs them: 2,000 files, 50 MB of code, types and maps. */
async function writePackages(plugin: string): Promise<void> {
  const line = 'export function part(value) { return value === undefined ? [] : [value]; }\n';
  const text = line.repeat(Math.ceil(25_000 / line.length));
  for (let at = 0; at < 40; at += 1) {
    const folder = join(plugin, 'node_modules', `package-${at}`, 'lib');
    await mkdir(folder, { recursive: true });
    for (let file = 0; file < 50; file += 1)
      await writeFile(join(folder, `part${file}${['.js', '.d.ts', '.js.map'][file % 3]}`), text);
  }
}

/** Milliseconds of one call. @throws Error where not all plugins were loaded. */
async function listPlugins(home: string, expected: number): Promise<number> {
  const workspace = join(home, 'workspace');
  await mkdir(workspace, { recursive: true });
  const start = performance.now();
  const { code, output } = await runProgram(
    join(projectRoot, 'dist', 'cli.js'),
    ['plugins', 'list', '--json', '--workspace', workspace],
    { captured: true, env: { PINCER_HOME: home } },
  );
  const took = performance.now() - start;
  const loaded = output.match(/"id": "bench-\d+",[^}]*?"status": "loaded"/gu)?.length ?? 0;
  if (code !== 0 || loaded !== expected)
    throw new Error(`${loaded} of ${expected} plugins loaded:\n${output}`);
  return took;
}

/** Milliseconds that a turn waits where nothing has changed: the median of many. @throws Error where not all plugins were loaded. */
async function timeOfLook(root: string, home: string): Promise<number> {
  const host = createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
  const dist = join(root, 'dist');
  await cp(join(projectRoot, 'plugins'), join(dist, 'plugins'), { recursive: true });
  const runtime = await createRuntime({
    host,
    home,
    stateFolder: join(root, 'state'),
    dist,
    surface: 'cli',
    folders: [join(home, 'workspace')],
    isTrusted: true,
    canAsk: false,
    reservedCommands: [],
    files: createDiskFiles(host.fs),
    fileLink: (path) => path,
  });
  try {
    const loaded = runtime.plugins
      .plugins()
      .filter(({ id, status }) => id.startsWith('bench-') && status === 'loaded');
    if (loaded.length !== count) throw new Error(`${loaded.length} of ${count} plugins loaded`);
    const times: number[] = [];
    for (let look = 0; look < looks; look += 1) {
      const start = performance.now();
      await runtime.workspace.catchUp();
      times.push(performance.now() - start);
    }
    return median(times);
  } finally {
    await runtime.stop('shutdown');
  }
}

/** Loads a plugin, edits one of its files, and loads it again; milliseconds of the second time. */
async function timeOfEdit(root: string, round: number): Promise<number> {
  const rootDir = join(root, 'edited');
  const names = Array.from({ length: files - 1 }, (_, at) => `part${at}`);
  await mkdir(rootDir);
  for (const name of names) await writeFile(join(rootDir, `${name}.ts`), partOf(0));
  const imports = names.map((name) => `import * as ${name} from './${name}.ts';`).join('\n');
  await writeFile(join(rootDir, 'index.ts'), `${imports}\nexport default [${names.join(', ')}];\n`);

  const fs = createNodeFileSystem();
  const loader = createModuleLoader({ log: createInMemoryLog(), stateDir: root });
  const load = async (): Promise<number> => {
    const start = performance.now();
    const content = await readPluginFiles(fs, { rootDir });
    const snapshot = await ensureSnapshot(fs, join(root, 'snapshots'), { id: 'edited', rootDir }, content);
    await loader.load({ id: 'edited', entry: join(snapshot.rootDir, 'index.ts'), ...snapshot });
    return performance.now() - start;
  };
  await load();
  await writeFile(join(rootDir, 'part0.ts'), partOf(round + 1));
  return load();
}

/** A file of some sixty lines. */
function partOf(version: number): string {
  const functions = Array.from(
    { length: 12 },
    (_, at) => `
export function longest${at}(texts: readonly string[], atLeast: number = ${at + version}): string | undefined {
  const long: string[] = texts.filter((text: string): boolean => text.length > atLeast);
  return long.sort((a, b) => b.length - a.length)[0];
}`,
  );
  return functions.join('\n');
}

async function writePlugin(folder: string, at: number): Promise<void> {
  const id = `bench-${at}`;
  const root = join(folder, id);
  await mkdir(root, { recursive: true });
  const manifest = {
    id,
    contracts: { tools: [`${id}_tool`] },
    configSchema: { type: 'object', properties: {} },
  };
  await writeFile(join(root, 'openclaw.plugin.json'), JSON.stringify(manifest));
  const isTyped = at % 2 === 0;
  const type = isTyped ? ': any' : '';
  await writeFile(
    join(root, isTyped ? 'index.ts' : 'index.js'),
    `${isTyped ? 'export default' : 'module.exports ='} function register(api${type}) {
  api.registerTool({
    name: '${id}_tool',
    description: 'Says its number.',
    parameters: { type: 'object', properties: {} },
    execute: async () => ({ content: [{ type: 'text', text: '${at}' }] }),
  });
  api.on('before_tool_call', (event${type}) => (event.toolName === '${id}_never' ? { block: true } : undefined));
}
`,
  );
}
