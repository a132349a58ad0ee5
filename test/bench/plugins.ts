import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { runProgram } from '../../scripts/runProgram.ts';
import type { Bench } from './bench.ts';
import { medianFigure } from './medianFigure.ts';

const count = 50;
const rounds = 5;

/**
 * `pincer plugins list` with 50 plugins in the user's home, every second one TypeScript: the first time, when they are
 * snapshotted and transpiled, and again. The figures are what that takes beyond a home without plugins.
 */
export const bench: Bench = {
  name: 'plugins',
  needsEditor: false,
  async run() {
    const cold: number[] = [];
    const warm: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const root = await mkdtemp(join(tmpdir(), 'pincer-bench-'));
      try {
        const empty = join(root, 'empty');
        const full = join(root, 'full');
        await mkdir(empty);
        for (let at = 0; at < count; at += 1) await writePlugin(join(full, 'plugins'), at);
        await listPlugins(empty, 0);
        const base = await listPlugins(empty, 0);
        cold.push((await listPlugins(full, count)) - base);
        warm.push((await listPlugins(full, count)) - base);
      } finally {
        await rm(root, { recursive: true });
      }
    }
    return [
      medianFigure(`loading ${count} plugins, cold`, 'ms', cold),
      medianFigure(`loading ${count} plugins, warm`, 'ms', warm),
    ];
  },
};

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
