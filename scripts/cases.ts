import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PincerError } from '../src/base/errors.ts';
import { projectRoot } from './projectRoot.ts';
import type { HostileCase, JudgeCase, OpenJudge } from './cases/hostileCase.ts';

const kinds = ['ssrf', 'shell', 'binds', 'paths', 'secrets'] as const;
export type CaseKind = (typeof kinds)[number];

/** Kinds whose judge works on a workspace of its own. */
const openKinds = ['typed'] as const;

const shape = z.array(
  z.looseObject({
    input: z.string(),
    expected: z.enum(['allow', 'ask', 'block']),
    why: z.string().default(''),
    class: z.string().default(''),
  }),
);

/** The cases of a file. @throws PincerError `cases_unreadable` */
export async function readCases(file: string): Promise<readonly HostileCase[]> {
  try {
    return shape.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new PincerError('cases_unreadable', `${file} holds no hostile cases.`, {
      hint: 'It must be a JSON array of objects with input and expected (allow, ask or block).',
      cause: error,
    });
  }
}

/** The judge of a kind: it runs the guard that the tools use. */
export async function loadJudge(kind: CaseKind): Promise<JudgeCase> {
  const module = (await import(`./cases/${kind}.ts`)) as { readonly judge: JudgeCase };
  return module.judge;
}

async function openJudge(kind: string): Promise<OpenJudge | undefined> {
  const pure = kinds.find((each) => each === kind);
  if (pure !== undefined) return { judge: await loadJudge(pure), close: () => Promise.resolve() };
  if (!openKinds.some((each) => each === kind)) return undefined;
  const module = (await import(`./cases/${kind}.ts`)) as { openJudge(): Promise<OpenJudge> };
  return await module.openJudge();
}

/** What a case came out as: its verdict, or the failure of the guard, which is no verdict. */
export async function runCase(judge: JudgeCase, testCase: HostileCase): Promise<string> {
  try {
    return await judge(testCase);
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What measures by itself, without a file. */
const reports = ['secrets', 'repositories'] as const;

/**
 * `cases`: all of it, with the cases of the project. `cases <kind> <file.json>`: prints each mismatch; 1 where there is any, 2 for wrong
 * usage. `cases secrets` plants secrets and looks for false alarms, `cases repositories` runs commands in hostile repositories.
 */
export async function main([kind, file]: readonly string[]): Promise<number> {
  const usage = `Usage: npm run cases -- <${[...kinds, ...openKinds].join('|')}> <file.json>, or one of ${reports.join(', ')} alone`;
  if (kind === undefined) return await runAll();
  const asked = file === undefined ? reports.find((each) => each === kind) : undefined;
  if (asked !== undefined) return await runReport(asked);
  const cases = file === undefined ? undefined : await readCases(file);
  const open = cases === undefined ? undefined : await openJudge(kind);
  if (open === undefined || cases === undefined) {
    console.error(usage);
    return 2;
  }
  try {
    return await judgeAll(kind, open.judge, cases);
  } finally {
    await open.close();
  }
}

async function runAll(): Promise<number> {
  const codes: number[] = [];
  for (const kind of kinds) {
    const file = join(projectRoot, 'test', 'cases', `${kind}.json`);
    // What holds secrets is planted instead.
    if (kind !== 'secrets') codes.push(await judgeAll(kind, await loadJudge(kind), await readCases(file)));
  }
  for (const kind of reports) codes.push(await runReport(kind));
  return Math.max(...codes);
}

async function runReport(kind: (typeof reports)[number]): Promise<number> {
  const module = (await import(`./cases/${kind}.ts`)) as { report(): Promise<number> };
  return await module.report();
}

async function judgeAll(kind: string, judge: JudgeCase, cases: readonly HostileCase[]): Promise<number> {
  const mismatches = await countMismatches(judge, cases);
  console.log(`${kind}: ${cases.length - mismatches} of ${cases.length} cases as expected`);
  return mismatches === 0 ? 0 : 1;
}

async function countMismatches(judge: JudgeCase, cases: readonly HostileCase[]): Promise<number> {
  let mismatches = 0;
  for (const testCase of cases) {
    const got = await runCase(judge, testCase);
    if (got === testCase.expected) continue;
    mismatches += 1;
    const why = testCase.why === '' ? testCase.class : testCase.why;
    console.log(`${JSON.stringify(testCase.input)}: expected ${testCase.expected}, got ${got} (${why})`);
  }
  return mismatches;
}
