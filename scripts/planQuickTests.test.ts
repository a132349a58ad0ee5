import { expect, it } from 'vitest';

import { planQuickTests } from './planQuickTests.ts';

const imports = new Map<string, readonly string[]>([
  ['src/a.ts', []],
  ['src/b.ts', ['src/a.ts']],
  ['src/a.test.ts', ['src/a.ts']],
  ['src/b.test.ts', ['src/b.ts']],
  ['src/far.test.ts', ['src/b.test.ts']],
  ['src/other.test.ts', []],
  ['test/samples/x/x.test.ts', []],
  ['test/e2e/view.test.ts', ['src/c.ts']],
  ['src/c.test.ts', ['src/c.ts']],
  ['src/c.ts', []],
]);
const plan = (
  changed: readonly string[],
  seconds: readonly (readonly [string, number])[] = [],
  budget = 30,
) =>
  planQuickTests({
    ...{ changed, imports, budget },
    seconds: new Map(seconds),
    isWanted: (file) => !file.startsWith('test/e2e/'),
  });

it('takes the tests that reach a change by their imports, the nearest first, and no other', () => {
  expect(plan(['src/a.ts']).files).toEqual(['src/a.test.ts', 'src/b.test.ts', 'src/far.test.ts']);
  expect(plan(['src/other.test.ts']).files).toEqual(['src/other.test.ts']);
});

it('takes the tests of the nearest folder for a file that nobody imports, and none for a document', () => {
  expect(plan(['test/samples/x/fixture/deep/plugin.js']).files).toEqual(['test/samples/x/x.test.ts']);
  expect(plan(['README.md'])).toEqual({ files: [], left: [] });
});

it('spends no time on a test file that is not wanted, and does not count it among those left', () => {
  const seconds = [['test/e2e/view.test.ts', 60]] as const;
  expect(plan(['src/c.ts'], seconds)).toEqual({ files: ['src/c.test.ts'], left: [] });
  expect(plan(['test/e2e/view.test.ts'], seconds)).toEqual({ files: [], left: [] });
});

it('stops where the time is spent, names what did not fit, and runs the nearest whatever it takes', () => {
  expect(
    plan(
      ['src/a.ts'],
      [
        ['src/a.test.ts', 20],
        ['src/b.test.ts', 20],
      ],
    ),
  ).toEqual({
    files: ['src/a.test.ts'],
    left: ['src/b.test.ts', 'src/far.test.ts'],
  });
  expect(plan(['src/a.ts'], [['src/a.test.ts', 99]]).files).toEqual(['src/a.test.ts']);
});
