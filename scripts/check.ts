import { findCycles } from './findCycles.ts';
import { findThinFiles, readProductFiles } from './findThinFiles.ts';
import { projectRoot } from './projectRoot.ts';
import { readImports } from './readImports.ts';
import { programOf, runProgram, type ProgramResult } from './runProgram.ts';

interface Check {
  readonly title: string;
  readonly run: () => Promise<ProgramResult>;
  readonly help?: string;
}

const captured = { captured: true };

const checks: readonly Check[] = [
  {
    title: 'Types (tsc)',
    run: () => runProgram(programOf('@typescript/native', 'bin', 'tsc'), [], captured),
  },
  {
    title: 'Lint and tiers (eslint)',
    run: () => runProgram(programOf('eslint', 'bin', 'eslint.js'), ['--max-warnings', '0', '.'], captured),
  },
  {
    title: 'Import cycles, types counted',
    run: lookForCycles,
    help: 'Move what both files need into the lower one.',
  },
  {
    title: 'Short files that only one other needs',
    run: lookForThinFiles,
    help: 'Fold each into the file that needs it.',
  },
  {
    title: 'Format (prettier)',
    run: () =>
      runProgram(
        programOf('prettier', 'bin', 'prettier.cjs'),
        ['--check', '--log-level', 'warn', projectRoot],
        captured,
      ),
    help: 'npm run format puts it right.',
  },
];

/** In the product without its tests; lint leaves imports of types out. */
async function lookForCycles(): Promise<ProgramResult> {
  const imports = await readImports(['src', 'plugins']);
  const cycles = findCycles(new Map([...imports].filter(([file]) => !file.endsWith('.test.ts'))));
  return { code: cycles.length === 0 ? 0 : 1, output: cycles.map((cycle) => cycle.join(' → ')).join('\n') };
}

/** Short files that only one other needs. */
async function lookForThinFiles(): Promise<ProgramResult> {
  const found = findThinFiles(await readProductFiles());
  return { code: found.length === 0 ? 0 : 1, output: found.map((pair) => pair.join(' → ')).join('\n') };
}

/** `check`: types, lint, import cycles, short files and format side by side; gives 1 when one of them finds something. */
export async function main(): Promise<number> {
  const runs = checks.map(async ({ title, run, help }) => {
    const start = performance.now();
    const { code, output } = await run();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`\n── ${title}: ${code === 0 ? 'ok' : 'failed'} (${seconds} s) ──`);
    if (output.trim() !== '') console.log(output.trim());
    if (code !== 0 && help !== undefined) console.log(help);
    return code;
  });
  const codes = await Promise.all(runs);
  return codes.every((code) => code === 0) ? 0 : 1;
}
