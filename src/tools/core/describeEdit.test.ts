import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testCall, testRun } from '../../../test/builders/callContexts.ts';
import {
  createTestWorkspace,
  textOf,
  type TestWorkspace,
} from '../../../test/samples/tools/createTestWorkspace.ts';
import type { FileProblem } from '../problemSource.ts';
import type { CoreToolDeps } from './coreTool.ts';
import { createWriteTool } from './write.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createTestWorkspace();
});
afterEach(() => workspace.remove());

async function write(deps: CoreToolDeps, content: string): Promise<string> {
  const prepared = await createWriteTool(deps).prepare(testCall(), { path: 'a.ts', content });
  return textOf(await prepared.run(testRun()));
}

/** An editor that makes something else of each text as it saves it. */
function formatting(format: (text: string) => string): CoreToolDeps {
  const { files } = workspace.deps;
  return {
    ...workspace.deps,
    files: {
      ...files,
      apply: (changes, call) =>
        files.apply(
          changes.map((change) => ({ ...change, after: format(change.after ?? '') })),
          call,
        ),
    },
  };
}

describe('what a formatter changed while saving', () => {
  test('is told as a diff, and to read again', async () => {
    expect(
      await write(
        formatting((text) => text.replace('b=2', 'b = 2;')),
        'a\nb=2\nc\n',
      ),
    ).toBe(
      [
        'Created a.ts.',
        'When it was saved, a formatter changed a.ts further:',
        '@@ -1,3 +1,3 @@',
        ' a',
        '-b=2',
        '+b = 2;',
        ' c',
        'Read it again before you change more of it.',
      ].join('\n'),
    );
  });

  test('is cut where it is long, and not shown where it is all of a large file', async () => {
    const long = Array.from({ length: 400 }, (_, at) => `line ${at}`).join('\n');
    const text = await write(
      formatting((each) => each.toUpperCase()),
      `${long}\n`,
    );
    expect(text.length).toBeLessThan(2_300);
    expect(text).toContain('…\nRead it again');
    const all = Array.from({ length: 3_000 }, (_, at) => `line ${at}\n`).join('');
    expect(
      await write(
        formatting((each) => each.toUpperCase()),
        all,
      ),
    ).toContain('a.ts further in very many lines.\n');
  });

  test('nothing is told where it changed nothing', async () => {
    expect(
      await write(
        formatting((text) => text),
        'a\n',
      ),
    ).toBe('Created a.ts.');
  });
});

test('problems that an edit brought are told, and not those that were there or only moved', async () => {
  const old: FileProblem = { severity: 'error', line: 1, message: 'no such name', source: 'ts' };
  const answers: FileProblem[][] = [
    [old],
    [
      { ...old, line: 4 },
      { ...old, line: 9 },
      { severity: 'warning', line: 2, message: 'two\nlines' },
    ],
  ];
  const deps: CoreToolDeps = {
    ...workspace.deps,
    problems: { problemsOf: () => Promise.resolve(answers.shift() ?? []) },
  };
  await workspace.put('proj/a.ts', 'old\n');
  expect(await write(deps, 'x\n')).toBe(
    'Changed a.ts.\nNew problems in a.ts:\n- error at line 9: no such name (ts)\n- warning at line 2: two lines',
  );
});

test('a whole new text keeps the line ends and the byte order mark, which models do not see', async () => {
  await workspace.put('proj/a.ts', '\uFEFFone\r\ntwo\r\n');
  await write(workspace.deps, '1\n2\n');
  expect(await workspace.get('proj/a.ts')).toBe('\uFEFF1\r\n2\r\n');
  await workspace.put('proj/a.ts', 'one\r\ntwo\n');
  await write(workspace.deps, '1\n2\n');
  expect(await workspace.get('proj/a.ts')).toBe('1\n2\n');
});
