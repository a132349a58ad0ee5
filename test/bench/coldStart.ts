import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { projectRoot } from '../../scripts/projectRoot.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';

const pluginCount = 5;
const helpersOfEach = 10;
const runs = 10;

/**
 * What a process needs from its start to the end of its first answer, by where the code of Dexto plugins comes from: TypeScript that
 * nobody has loaded before, the same with the cache of an earlier process, JavaScript of `pincer compile`, and bundles.
 */
export const bench: Bench = {
  name: 'coldStart',
  needsEditor: false,
  async run() {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-cold-')));
    try {
      return await measure(root);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
};

async function measure(root: string): Promise<readonly Figure[]> {
  const agents = join(root, 'agents');
  await writeFiles(agents, filesOf('plugins', 'ts'));
  await writeFiles(join(root, 'workspace'), { 'replay.jsonl': '{ "text": "Aye." }\n' });
  await pincer(root, 'compile', join(agents, 'plugins'), '--output', join(agents, 'dist'));
  await writeFiles(agents, { 'compiled.yml': agentFileOf('dist', 'js'), 'none.yml': 'plugins: {}\n' });
  const bundle = ['bundle', '--agent', join(agents, 'agent.yml'), '--output'];
  await pincer(root, ...bundle, join(root, 'own.cjs'));
  await pincer(root, ...bundle, join(root, 'small.cjs'), ...(await withEsbuild(agents)));
  const file = (name: string): readonly string[] => ['--agent-file', join(agents, name)];
  const ways: readonly (readonly [name: string, args: readonly string[], isFirst: boolean])[] = [
    ['no plugin', file('none.yml'), false],
    ['TypeScript, never loaded before', file('agent.yml'), true],
    ['TypeScript, loaded before', file('agent.yml'), false],
    ['compiled ahead', file('compiled.yml'), false],
    ['bundle', ['--bundle', join(root, 'own.cjs')], false],
    ['bundle by esbuild, minified', ['--bundle', join(root, 'small.cjs')], false],
  ];
  const samples = new Map(ways.map(([name]) => [name, [] as number[]]));
  // In turns, so that what else the machine does falls on all of them.
  for (let run = 0; run <= runs; run += 1) {
    for (const [name, args, isFirst] of ways) {
      const state = join(root, 'state', name.replaceAll(/\W+/gu, '-'));
      if (isFirst) await rm(state, { recursive: true, force: true });
      const taken = await timeAnswer(root, [...args, '--state-dir', state]);
      if (run > 0) samples.get(name)?.push(taken);
    }
  }
  return ways.map(([name]) => medianFigure(name, 'ms', samples.get(name) ?? []));
}

async function timeAnswer(root: string, args: readonly string[]): Promise<number> {
  const start = performance.now();
  const model = `replay:${join(root, 'workspace', 'replay.jsonl')}`;
  const { stdout } = await pincer(root, 'agent', '--model', model, '-m', 'Hello', ...args);
  const taken = performance.now() - start;
  const signed = args.some((each) => each.endsWith('none.yml')) ? 0 : pluginCount;
  if (stdout.split(' signed').length - 1 !== signed) throw new Error(`The plugins did not run: ${stdout}`);
  return taken;
}

async function pincer(cwd: string, ...args: readonly string[]): Promise<{ readonly stdout: string }> {
  const cli = join(projectRoot, 'dist', 'cli.js');
  const workspace = args[0] === 'agent' ? ['--workspace', join(cwd, 'workspace')] : [];
  const env = { ...process.env, PINCER_HOME: join(tmpdir(), 'pincer-cold-no-home') };
  return await promisify(execFile)(process.execPath, [cli, ...args, ...workspace], { cwd, env });
}

/** The project's own stands in for one that the agent would bring. */
async function withEsbuild(agents: string): Promise<readonly string[]> {
  await mkdir(join(agents, 'node_modules'), { recursive: true });
  await symlink(join(projectRoot, 'node_modules', 'esbuild'), join(agents, 'node_modules', 'esbuild'));
  return ['--bundler', 'esbuild', '--minify'];
}

function agentFileOf(folder: string, ending: string): string {
  const entries = Array.from({ length: pluginCount }, (_each, at) => {
    const module = `\${{dexto.agent_dir}}/${folder}/sign${String(at)}/index.${ending}`;
    return `    - { name: sign${String(at)}, module: "${module}", priority: ${String(at)} }\n`;
  });
  return `plugins:\n  custom:\n${entries.join('')}`;
}

function filesOf(folder: string, ending: string): Readonly<Record<string, string>> {
  const helper = (at: number): string =>
    `export interface Mark { readonly text: string }\nexport const mark = (text: string): Mark => ({ text });\n// ${String(at)}\n`;
  const plugins = Array.from({ length: pluginCount }, (_each, at) => {
    const home = `${folder}/sign${String(at)}`;
    const helpers = Array.from({ length: helpersOfEach }, (_each, index): [string, string] => [
      `${home}/helper${String(index)}.ts`,
      helper(index),
    ]);
    const imports = helpers.map(
      (_each, index) => `import { mark as mark${String(index)} } from './helper${String(index)}.ts';\n`,
    );
    const code = `${imports.join('')}export default class {
  beforeResponse({ content }: { content: string }) {
    return { ok: true, modify: { content: content + mark${String(at)}(' signed').text } };
  }
}
`;
    return [...helpers, [`${home}/index.ts`, code]] as const;
  });
  return { 'agent.yml': agentFileOf(folder, ending), ...Object.fromEntries(plugins.flat()) };
}

async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
