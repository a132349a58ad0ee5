import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PincerError } from '../src/base/errors.ts';
import { isRecord } from '../src/base/json.ts';
import {
  breakable,
  kinds,
  planBreak,
  readTable,
  type Break,
  type Kind,
  type NamedTest,
} from './conformanceTable.ts';
import { projectRoot } from './projectRoot.ts';
import { programOf } from './runProgram.ts';

interface Target {
  readonly kind: Kind;
  readonly name: string;
  readonly test: NamedTest;
}

const count = 20;
const copied = [
  'src',
  'test',
  'plugins',
  'scripts',
  'examples',
  'schemas',
  'dist',
  'docs',
  'package.json',
  'tsconfig.json',
  'vitest.config.mts',
];

/**
 * `npm run mutate -- [--seed N] [--count N] [--kind KIND]`: breaks twenty rows of test/conformance/table.json that work, chosen by the
 * seed, in a copy of the repository, one at a time, and runs the test that each names. Gives 1 where one of them does not fail, or
 * fails without the break.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string' }, count: { type: 'string' }, kind: { type: 'string' } },
  });
  const seed = Number(values.seed ?? 1);
  const wanted = Number(values.count ?? count);
  if (!Number.isInteger(seed) || !Number.isInteger(wanted))
    throw new PincerError('bad_argument', 'Seed and count are whole numbers.', {
      hint: 'npm run mutate -- --seed 7',
    });
  const { kind } = values;
  if (kind !== undefined && !kinds.some((each) => each === kind))
    throw new PincerError('bad_argument', `There is no kind "${kind}".`, {
      hint: `The kinds are ${kinds.join(', ')}.`,
    });
  const all = breakable(await readTable());
  const targets = choose(kind === undefined ? all : all.filter((each) => each.kind === kind), seed, wanted);
  const copy = await copyRepository();
  try {
    const before = await runTests(
      copy,
      targets.map(({ test }) => test),
    );
    const lines: string[] = [];
    let escaped = 0;
    for (const target of targets) {
      const outcome =
        before.get(target.test[1]) === 'passed' ? await tryBreak(copy, target) : 'fails unbroken';
      if (outcome !== 'caught') escaped += 1;
      const line = `${outcome.padEnd(14)}  ${`${target.kind} ${target.name}`.padEnd(52)}  ${target.test.join(': ')}`;
      console.log(line);
      lines.push(line);
    }
    console.log(
      `\nSeed ${String(seed)}: ${String(lines.length - escaped)} of ${String(lines.length)} caught, each by its own test.`,
    );
    return escaped === 0 ? 0 : 1;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function tryBreak(
  copy: string,
  { kind, name, test }: Target,
): Promise<'caught' | 'ESCAPED' | 'no such place'> {
  const place = planBreak(kind, name);
  if (place === undefined) return 'no such place';
  const file = join(copy, place.file);
  const text = await readFile(file, 'utf8');
  const broken = apply(text, place);
  if (broken === undefined) return 'no such place';
  await writeFile(file, broken);
  try {
    return (await runTests(copy, [test])).get(test[1]) === 'failed' ? 'caught' : 'ESCAPED';
  } finally {
    await writeFile(file, text);
  }
}

/** Undefined where the place is not there exactly once. Pure. */
function apply(text: string, { find, replace }: Break): string | undefined {
  return text.split(find).length === 2 ? text.replace(find, () => replace) : undefined;
}

/** By the beginning of their names: what became of the tests. One that did not run is absent. */
async function runTests(copy: string, tests: readonly NamedTest[]): Promise<ReadonlyMap<string, string>> {
  const report = join(copy, 'mutate.json');
  await rm(report, { force: true });
  const files = [...new Set(tests.map(([file]) => file))];
  const names = tests.map(([, name]) => name.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`));
  const args = [
    'run',
    '--project',
    'unit',
    ...files,
    '-t',
    names.join('|'),
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  // Its exit code says no more than the report.
  await new Promise<void>((resolve) => {
    execFile(
      process.execPath,
      [programOf('vitest', 'vitest.mjs'), ...args],
      { cwd: copy, maxBuffer: 1e8 },
      () => resolve(),
    );
  });
  const results: unknown = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  const suites: readonly unknown[] =
    isRecord(results) && Array.isArray(results['testResults']) ? results['testResults'] : [];
  const ran = suites.flatMap((suite): readonly unknown[] =>
    isRecord(suite) && Array.isArray(suite['assertionResults']) ? suite['assertionResults'] : [],
  );
  return new Map(
    tests.flatMap(([, name]) => {
      const own = ran.find((each) => isRecord(each) && String(each['title']).startsWith(name));
      return isRecord(own) ? [[name, String(own['status'])] as const] : [];
    }),
  );
}

async function copyRepository(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'pincer-mutate-'));
  for (const name of copied) await cp(join(projectRoot, name), join(copy, name), { recursive: true });
  await symlink(join(projectRoot, 'node_modules'), join(copy, 'node_modules'), 'dir');
  return copy;
}

/** The same for the same seed (a linear congruential generator and Fisher and Yates's shuffle). Pure. */
function choose(rows: readonly Target[], seed: number, wanted: number): readonly Target[] {
  const shuffled = [...rows];
  let state = seed >>> 0;
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const index = state % (last + 1);
    const [a, b] = [shuffled[last], shuffled[index]];
    if (a === undefined || b === undefined) continue;
    shuffled[last] = b;
    shuffled[index] = a;
  }
  return shuffled.slice(0, wanted);
}
