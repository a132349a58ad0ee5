import { mkdir, mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Params } from '../../src/contracts/jsonTypes.ts';
import type { AgentTool } from '../../src/contracts/tool.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { createApplyPatchTool } from '../../src/tools/core/applyPatch.ts';
import type { CoreToolDeps } from '../../src/tools/core/coreTool.ts';
import { createEditTool } from '../../src/tools/core/edit.ts';
import { createDiskFiles } from '../../src/tools/createDiskFiles.ts';
import { testCall, testRun } from '../builders/callContexts.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';

const editRuns = 40;
const patchRuns = 15;
const warmUpRuns = 5;
const patchFiles = 100;
const linesOfPatchedFile = 200;

/** A file of about 1 MB, as code is: short lines, no two alike. */
const bigLines = Array.from({ length: 25_000 }, (_, at) => `  const value${at} = compute(${at}, 'x');`);
const middle = bigLines.length / 2;

/** What changing files costs, from the parameters to files that are safely on disk. */
export const bench: Bench = {
  name: 'edits',
  needsEditor: false,
  async run() {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-bench-edits-')));
    try {
      return [...(await editFigures(folder)), ...(await patchFigures(folder))];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function editFigures(folder: string): Promise<readonly Figure[]> {
  const path = join(folder, 'big.ts');
  const text = `${bigLines.join('\n')}\n`;
  await writeFile(path, text);
  const tool = createEditTool(depsFor(folder));
  const line = `value${middle} = compute(${middle}, `;
  const exact = await sample(editRuns, (at) => {
    const [from, to] = at % 2 === 0 ? ["'x'", "'y'"] : ["'y'", "'x'"];
    return call(tool, { path: 'big.ts', edits: [{ oldText: line + from, newText: line + to }] });
  });
  await writeFile(path, text);
  const shifted = await sample(editRuns, (at) => {
    const [from, to] = at % 2 === 0 ? ["'x'", "'z'"] : ["'z'", "'x'"];
    const edit = { oldText: `const ${line}${from});\n`, newText: `const ${line}${to});\n` };
    return call(tool, {
      path: 'big.ts',
      edits: [{ ...edit, oldText: `\t  ${edit.oldText}`, newText: `\t  ${edit.newText}` }],
    });
  });
  const plain = await sample(editRuns, () => writeSynced(path, text));
  return [
    medianFigure(`edit, ${(text.length / 1e6).toFixed(1)} MB`, 'ms', exact, { below: 20 }),
    medianFigure('edit, the same, found past indentation', 'ms', shifted),
    medianFigure('writing that file and waiting for the disk', 'ms', plain),
  ];
}

async function patchFigures(folder: string): Promise<readonly Figure[]> {
  const names = Array.from({ length: patchFiles }, (_, at) => `src/part${at % 10}/file${at}.ts`);
  for (const [at, name] of names.entries()) {
    const lines = Array.from({ length: linesOfPatchedFile }, (_, line) => `const value${line} = ${at};`);
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), `${lines.join('\n')}\n`);
  }
  const tool = createApplyPatchTool(depsFor(folder));
  const samples = await sample(patchRuns, (run) => call(tool, { input: patchOf(names, run) }));
  return [medianFigure(`apply_patch, ${patchFiles} files`, 'ms', samples, { below: 300 })];
}

/** Changes a line of each file, there and back again. */
function patchOf(names: readonly string[], run: number): string {
  const sections = names.flatMap((name, at) => {
    const [from, to] = run % 2 === 0 ? [`= ${at};`, `= ${at} + 1;`] : [`= ${at} + 1;`, `= ${at};`];
    return [
      `*** Update File: ${name}`,
      '@@',
      ` const value99 = ${at};`,
      `-const value100 ${from}`,
      `+const value100 ${to}`,
      ` const value101 = ${at};`,
    ];
  });
  return ['*** Begin Patch', ...sections, '*** End Patch'].join('\n');
}

function depsFor(folder: string): CoreToolDeps {
  const fs = createNodeFileSystem();
  return {
    fs,
    files: createDiskFiles(fs),
    clock: systemClock,
    layout: () => ({ roots: [folder], platform: process.platform }),
    maxResultChars: 16_000,
  };
}

async function call(tool: AgentTool, params: Params): Promise<void> {
  const prepared = await tool.prepare(testCall(), params);
  await prepared.run(testRun());
}

async function sample(runs: number, work: (run: number) => Promise<void>): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let run = 0; run < warmUpRuns + runs; run += 1) {
    const start = performance.now();
    await work(run);
    if (run >= warmUpRuns) samples.push(performance.now() - start);
  }
  return samples;
}

async function writeSynced(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
