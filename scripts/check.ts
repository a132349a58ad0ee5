import { projectRoot } from './projectRoot.ts';
import { programOf, runProgram } from './runProgram.ts';

interface Check {
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly help: string;
}

const checks: readonly Check[] = [
  { title: 'Types (tsc)', program: programOf('typescript', 'bin', 'tsc'), args: [], help: '' },
  {
    title: 'Lint and tiers (eslint)',
    program: programOf('eslint', 'bin', 'eslint.js'),
    args: ['--max-warnings', '0', '.'],
    help: '',
  },
  {
    title: 'Format (prettier)',
    program: programOf('prettier', 'bin', 'prettier.cjs'),
    args: ['--check', '--log-level', 'warn', projectRoot],
    help: 'npm run format puts it right.',
  },
];

/** `check`: types, lint and format side by side; gives 1 when one of them finds something. */
export async function main(): Promise<number> {
  const runs = checks.map(async (check) => {
    const start = performance.now();
    const { code, output } = await runProgram(check.program, check.args, { captured: true });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`\n── ${check.title}: ${code === 0 ? 'ok' : 'failed'} (${seconds} s) ──`);
    if (output.trim() !== '') console.log(output.trim());
    if (code !== 0 && check.help !== '') console.log(check.help);
    return code;
  });
  const codes = await Promise.all(runs);
  return codes.every((code) => code === 0) ? 0 : 1;
}
