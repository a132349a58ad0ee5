import { join } from 'node:path';
import { provisionEditorHost } from '../../scripts/editorHost/provision.ts';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { findRipgrep } from '../../src/editor/host/findRipgrep.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../../src/host/node/nodeProcesses.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import type { CoreToolDeps } from '../../src/tools/core/coreTool.ts';
import { createRipgrep } from '../../src/tools/core/createRipgrep.ts';
import { createGrepTool } from '../../src/tools/core/grep.ts';
import { createDiskFiles } from '../../src/tools/createDiskFiles.ts';
import { testCall, testRun } from '../builders/callContexts.ts';
import type { Bench, Figure } from './bench.ts';
import { median, medianFigure } from './medianFigure.ts';

const rounds = 15;
/** Few hits, so that the whole tree is searched. */
const pattern = 'isIdentifierOrKeyword\\w*Rare|resolveBareSpecifierOf';

/** The `grep` tool beside ripgrep alone and beside our own search, on the packages of this project: some thousand files. */
export const bench: Bench = {
  name: 'grep',
  needsEditor: true,
  async run() {
    const { server } = await provisionEditorHost(() => undefined);
    const program = await findRipgrep(server);
    if (program === undefined) throw new Error('This editor ships no ripgrep.');
    const processes = createNodeProcesses();
    const root = join(projectRoot, 'node_modules');
    const alone = async (): Promise<void> => {
      const args = ['--no-config', '--no-messages', '--no-ignore', '--hidden', `--regexp=${pattern}`, './'];
      const running = await processes.start({ file: program, args, cwd: root, env: {} });
      running.onOutput(() => undefined);
      await running.exit;
    };
    const tool = await timesOf(alone, searchWith(root, { ripgrep: createRipgrep(processes, program) }));
    const own = await once(searchWith(root, {}));
    const figures: readonly Figure[] = [
      medianFigure('ripgrep alone', 'ms', tool.first),
      medianFigure('grep by ripgrep', 'ms', tool.second),
      {
        name: 'grep by ripgrep, against it alone',
        value: median(tool.second) / median(tool.first),
        unit: '×',
        below: 1.2,
      },
      { name: 'grep by our own search', value: own, unit: 'ms' },
    ];
    return figures;
  },
};

function searchWith(root: string, parts: Partial<CoreToolDeps>): () => Promise<void> {
  const fs = createNodeFileSystem();
  const grep = createGrepTool({
    fs,
    files: createDiskFiles(fs),
    clock: systemClock,
    layout: () => ({ roots: [root], platform: process.platform }),
    maxResultChars: 16_000,
    ...parts,
  });
  return async () => {
    const prepared = await grep.prepare(testCall(), { pattern });
    await prepared.run(testRun());
  };
}

/** They take turns, so that what else the machine does falls on both. */
async function timesOf(
  first: () => Promise<void>,
  second: () => Promise<void>,
): Promise<{ readonly first: readonly number[]; readonly second: readonly number[] }> {
  const times = { first: [] as number[], second: [] as number[] };
  await first();
  await second();
  for (let round = 0; round < rounds; round += 1) {
    times.first.push(await once(first));
    times.second.push(await once(second));
  }
  return times;
}

async function once(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
