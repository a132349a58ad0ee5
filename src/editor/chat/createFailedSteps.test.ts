import { expect, it } from 'vitest';
import { createFailedSteps, type Attempt } from './createFailedSteps.ts';

type Call = readonly [
  name: string,
  target: string,
  answer: number,
  ended?: 'failed' | 'skipped' | undefined,
  input?: string,
];

/** What is left of calls, by tool and target. */
function left(...calls: readonly Call[]): readonly string[] {
  const steps = createFailedSteps<string>();
  for (const [name, target, answer, ended, input] of calls) {
    const attempt: Attempt<string> = {
      call: { name, arguments: name === 'exec' ? { command: target } : { input } },
      target,
      answer: String(answer),
      failure: ended === 'failed' ? `${name} ${target}` : undefined,
      facts: { status: ended },
    };
    steps.note(attempt);
  }
  return steps.left();
}

/** What is left of calls that say nothing of what they are about, or too little: tool, arguments, target. */
function leftOf(
  ...calls: readonly (readonly [Attempt<string>['call'], target: string, status: string])[]
): readonly string[] {
  const steps = createFailedSteps<string>();
  for (const [at, [call, target, status]] of calls.entries()) {
    const failure = status === 'done' ? undefined : `${call.name} ${JSON.stringify(call.arguments)}`;
    steps.note({ call, target, answer: String(at), failure, facts: { status } });
  }
  return steps.left();
}

const patch = (...paths: readonly string[]): string =>
  ['*** Begin Patch', ...paths.map((path) => `*** Update File: ${path}\n-a\n+b`), '*** End Patch'].join('\n');

it('what failed is made good by the same call in a later answer, not in the same one', () => {
  expect(left(['edit', 'a.md', 1, 'failed'], ['edit', 'a.md', 2])).toEqual([]);
  expect(left(['edit', 'a.md', 1, 'failed'], ['edit', 'a.md', 1])).toEqual(['edit a.md']);
  expect(left(['exec', 'npm test', 1, 'failed'], ['exec', 'npm test', 2])).toEqual([]);
});

it('a call that was skipped makes nothing good', () => {
  expect(left(['grep', '(', 1, 'failed'], ['grep', '', 2, 'skipped'])).toEqual(['grep (']);
});

it('another thing makes nothing good, also where the tool only looks', () => {
  expect(left(['web_fetch', 'a', 1, 'failed'], ['web_fetch', 'b', 2])).toEqual(['web_fetch a']);
  expect(left(['read', 'a.md', 1, 'failed'], ['read', 'b.md', 2])).toEqual(['read a.md']);
  expect(left(['edit', 'a.md', 1, 'failed'], ['edit', 'b.md', 2])).toEqual(['edit a.md']);
});

it('a search is made good by another one', () => {
  expect(left(['grep', '(', 1, 'failed'], ['grep', 'x', 2])).toEqual([]);
  expect(left(['grep', '(', 1, 'failed'], ['glob', 'x', 2])).toEqual(['grep (']);
});

it('a file counts, whichever tool changes it', () => {
  expect(left(['edit', 'a.md', 1, 'failed'], ['write', 'a.md', 2])).toEqual([]);
  expect(left(['write', 'a.md', 1, 'failed'], ['apply_patch', 'a.md', 2, undefined, patch('a.md')])).toEqual(
    [],
  );
  expect(left(['edit', 'a.md', 1, 'failed'], ['read', 'a.md', 2])).toEqual(['edit a.md']);
});

it('a patch of several files is made good once each of them is', () => {
  const failed: Call = ['apply_patch', '2 files', 1, 'failed', patch('a.md', './b.md')];
  expect(left(failed, ['edit', 'a.md', 2])).toEqual(['apply_patch 2 files']);
  expect(left(failed, ['edit', 'a.md', 2], ['edit', 'b.md', 3])).toEqual([]);
  expect(
    left(['edit', 'b.md', 1, 'failed'], ['apply_patch', '2 files', 2, undefined, patch('a.md', 'b.md')]),
  ).toEqual([]);
});

it('what fails again stands there once, as it failed last', () => {
  expect(left(['edit', 'a.md', 1, 'failed'], ['write', 'a.md', 2, 'failed'])).toEqual(['write a.md']);
});

it('a command in another folder makes nothing good, the same one with more time does', () => {
  const test = (more: object): Attempt<string>['call'] => ({
    name: 'exec',
    arguments: { command: 'npm test', ...more },
  });
  const failed = [test({ workdir: 'a' }), 'npm test', 'exited'] as const;
  expect(leftOf(failed, [test({ workdir: 'b' }), 'npm test', 'done'])).toHaveLength(1);
  expect(leftOf(failed, [test({ workdir: 'a', timeout: 60 }), 'npm test', 'done'])).toEqual([]);
});

it('what begins alike and is cut is another thing', () => {
  const target = `https://a.test/${'a'.repeat(104)}…`;
  const fetched = (tail: string): Attempt<string>['call'] => ({
    name: 'web_fetch',
    arguments: { url: `${target}${tail}` },
  });
  expect(leftOf([fetched('1'), target, 'failed'], [fetched('2'), target, 'done'])).toHaveLength(1);
  expect(leftOf([fetched('1'), target, 'failed'], [fetched('1'), target, 'done'])).toEqual([]);
  const edited = (path: string): Attempt<string>['call'] => ({ name: 'edit', arguments: { path } });
  for (const shown of ['', 'src/a…'])
    expect(leftOf([edited('src/ab'), shown, 'failed'], [edited('src/ac'), shown, 'done'])).toHaveLength(1);
});

it('of a tool that says nothing of what it is about, the same arguments make good, and any where the ones before did not fit', () => {
  const deploy = (service: unknown): Attempt<string>['call'] => ({
    name: 'deploy',
    arguments: { service },
  });
  expect(leftOf([deploy('a'), '', 'failed'], [deploy('b'), '', 'done'])).toEqual(['deploy {"service":"a"}']);
  expect(leftOf([deploy('a'), '', 'failed'], [deploy('a'), '', 'done'])).toEqual([]);
  expect(leftOf([deploy(1), '', 'invalid-params'], [deploy('b'), '', 'done'])).toEqual([]);
});
