import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { PincerError } from '../src/base/errors.ts';
import type { HostileCase, JudgeCase } from './cases/hostileCase.ts';

const kinds = ['ssrf', 'shell', 'binds', 'paths'] as const;
export type CaseKind = (typeof kinds)[number];

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

/** What a case came out as: its verdict, or the failure of the guard, which is no verdict. */
export async function runCase(judge: JudgeCase, testCase: HostileCase): Promise<string> {
  try {
    return await judge(testCase);
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** `cases <ssrf|shell|binds|paths> <file.json>`: prints each mismatch; 1 where there is any, 2 for wrong usage. */
export async function main([kind, file]: readonly string[]): Promise<number> {
  const known = kinds.find((each) => each === kind);
  if (known === undefined || file === undefined) {
    console.error(`Usage: npm run cases -- <${kinds.join('|')}> <file.json>`);
    return 2;
  }
  const [cases, judge] = await Promise.all([readCases(file), loadJudge(known)]);
  let mismatches = 0;
  for (const testCase of cases) {
    const got = await runCase(judge, testCase);
    if (got === testCase.expected) continue;
    mismatches += 1;
    console.log(
      `${JSON.stringify(testCase.input)}: expected ${testCase.expected}, got ${got} (${testCase.why})`,
    );
  }
  console.log(`${known}: ${cases.length - mismatches} of ${cases.length} cases as expected`);
  return mismatches === 0 ? 0 : 1;
}
