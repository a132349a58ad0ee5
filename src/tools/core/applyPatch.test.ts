import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testCall, testRun } from '../../../test/builders/callContexts.ts';
import { mangling, printPatch, textVersions, type FileVersions } from '../../../test/fuzz/patch.ts';
import {
  createTestWorkspace,
  textOf,
  type TestWorkspace,
} from '../../../test/samples/tools/createTestWorkspace.ts';
import { PincerError } from '../../base/errors.ts';
import type { PreparedCall, RejectedHunks } from '../../contracts/tool.ts';
import { createApplyPatchTool } from './applyPatch.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createTestWorkspace();
});
afterEach(() => workspace.remove());

const prepare = (input: string): Promise<PreparedCall> =>
  createApplyPatchTool(workspace.deps).prepare(testCall(), { input });

async function patch(...lines: string[]): Promise<string> {
  const prepared = await prepare(['*** Begin Patch', ...lines, '*** End Patch'].join('\n'));
  return textOf(await prepared.run(testRun()));
}

async function contents(): Promise<Record<string, string>> {
  const names = await workspace.files();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name.slice('proj/'.length), await workspace.get(name)] as const),
    ),
  );
}

async function putAll(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await workspace.put(`proj/${name}`, text);
}

const everyKind = [
  '*** Update File: a.ts',
  '@@',
  ' one',
  '-two',
  '+2',
  '*** Update File: old/name.ts',
  '*** Move to: new/name.ts',
  '@@',
  '-x',
  '+y',
  '*** Add File: docs/new.md',
  '+# New',
  '*** Delete File: gone.ts',
];
const start = { 'a.ts': 'one\ntwo\n', 'old/name.ts': 'x\n', 'gone.ts': 'bye\n' };

describe('a patch', () => {
  test('changes, moves, makes and deletes files, each of which is an effect', async () => {
    await putAll(start);
    const prepared = await prepare(['*** Begin Patch', ...everyKind, '*** End Patch'].join('\n'));
    expect(await contents()).toEqual(start);
    expect(
      prepared.effects.map(
        (effect) => effect.kind === 'edit' && [effect.edit.label, effect.edit.before, effect.edit.after],
      ),
    ).toEqual([
      ['a.ts', 'one\ntwo\n', 'one\n2\n'],
      ['new/name.ts', null, 'y\n'],
      ['old/name.ts', 'x\n', null],
      ['docs/new.md', null, '# New\n'],
      ['gone.ts', 'bye\n', null],
    ]);
    expect(textOf(await prepared.run(testRun()))).toBe(
      'Changed a.ts.\nMoved old/name.ts to new/name.ts.\nCreated docs/new.md.\nDeleted gone.ts.',
    );
    expect(await contents()).toEqual({ 'a.ts': 'one\n2\n', 'new/name.ts': 'y\n', 'docs/new.md': '# New\n' });
  });

  test('moves with mode, encoding and line ends', async () => {
    const utf16 = Buffer.from('\uFEFFa\r\nb\r\n', 'utf16le');
    await workspace.put('proj/run.txt', utf16);
    await chmod(join(workspace.root, 'run.txt'), 0o750);
    await patch('*** Update File: run.txt', '*** Move to: bin/run.txt', ' a', '-b', '+c');
    const moved = join(workspace.root, 'bin/run.txt');
    expect(await readFile(moved)).toEqual(Buffer.from('\uFEFFa\r\nc\r\n', 'utf16le'));
    expect((await stat(moved)).mode & 0o777).toBe(0o750);
  });

  test('says where a place was found only past something', async () => {
    await putAll({ 'a.ts': '  one\n  two\n' });
    expect(await patch('*** Update File: a.ts', ' one', '-two', '+2')).toBe(
      'Changed a.ts.\nThe place at line 1 of a.ts is not exactly as in the patch; it was found by looking past indentation.',
    );
    expect(await contents()).toEqual({ 'a.ts': '  one\n  2\n' });
  });

  test('names its paths to hooks, and none where it can not be read', () => {
    const { derivedPaths } = createApplyPatchTool(workspace.deps);
    const input = ['*** Begin Patch', ...everyKind, '*** End Patch'].join('\n');
    expect(derivedPaths?.({ input })).toEqual(
      ['a.ts', 'old/name.ts', 'new/name.ts', 'docs/new.md', 'gone.ts'].map((name) =>
        join(workspace.root, name),
      ),
    );
    expect(derivedPaths?.({ input: 'no patch' })).toEqual([]);
  });
});

describe('nothing is written when', () => {
  test.each([
    ['one place of several does not fit', 'patch_not_found', ['*** Update File: a.ts', '-three', '+3']],
    ['a file is not there', 'path_not_found', ['*** Update File: b.ts', '-three', '+3']],
    ['a file to delete is not there', 'path_not_found', ['*** Delete File: b.ts']],
    ['a new file is there already', 'patch_exists', ['*** Add File: a.ts', '+x']],
    [
      'the new place of a file is taken',
      'patch_exists',
      ['*** Update File: old/name.ts', '*** Move to: a.ts'],
    ],
    ['a file occurs twice', 'patch_duplicate', ['*** Delete File: a.ts', '*** Update File: ./a.ts', '-one']],
    [
      'a file is the new place of another',
      'patch_duplicate',
      ['*** Update File: a.ts', '*** Move to: z.ts', '*** Add File: z.ts', '+x'],
    ],
    ['a path leads out', 'path_outside', ['*** Add File: ../x.ts', '+x']],
    ['the new place leads out', 'path_outside', ['*** Update File: a.ts', '*** Move to: ../x.ts']],
  ])('%s', async (_why, code, lines) => {
    await putAll(start);
    await expect(patch('*** Add File: first.md', '+x', ...lines)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^Line \d+ of the patch: /u) as string,
    });
    expect(await contents()).toEqual(start);
  });

  test('a similar name is there, which is told', async () => {
    await putAll(start);
    await expect(patch('*** Update File: old/nam.ts', '-one')).rejects.toMatchObject({
      hint: 'Did you mean old/name.ts?',
    });
  });

  test('a file changed after it was prepared', async () => {
    await putAll(start);
    const prepared = await prepare(['*** Begin Patch', ...everyKind, '*** End Patch'].join('\n'));
    await putAll({ 'gone.ts': 'theirs\n' });
    await expect(prepared.run(testRun())).rejects.toMatchObject({ code: 'edit_stale' });
    expect(await contents()).toEqual({ ...start, 'gone.ts': 'theirs\n' });
  });

  test('a folder has taken the place of a new file', async () => {
    await putAll(start);
    const prepared = await prepare(['*** Begin Patch', ...everyKind, '*** End Patch'].join('\n'));
    await mkdir(join(workspace.root, 'docs/new.md'), { recursive: true });
    await expect(prepared.run(testRun())).rejects.toMatchObject({ code: 'path_is_folder' });
    expect(await contents()).toEqual(start);
  });
});

test('what went wrong with a file that may hold secrets is told only where reading it was agreed to', async () => {
  await putAll({ 'a.ts': 'one\n', '.env': 'API_KEY=hunter2\n' });
  const lines = [
    '*** Update File: a.ts',
    '@@',
    '-one',
    '+1',
    '*** Update File: .env',
    '@@',
    '-API_KEY=hunter3',
  ];
  const prepared = await prepare(['*** Begin Patch', ...lines, '*** End Patch'].join('\n'));
  expect(prepared.effects).toEqual([{ kind: 'read', path: join(workspace.root, '.env') }]);
  await expect(prepared.run(testRun())).rejects.toMatchObject({ code: 'patch_not_found' });
  expect(await contents()).toEqual({ 'a.ts': 'one\n', '.env': 'API_KEY=hunter2\n' });
});

describe('refused in the review', () => {
  const runWith = async (input: string[], rejected: RejectedHunks): Promise<string> => {
    const prepared = await prepare(['*** Begin Patch', ...input, '*** End Patch'].join('\n'));
    return textOf(await prepared.run({ ...testRun(), rejected }));
  };

  test('hunks stay as they were, and each is told with its lines in the file as it is now', async () => {
    await putAll({ 'a.ts': '1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'b.ts': 'b\n' });
    const text = await runWith(
      [
        '*** Update File: a.ts',
        '-1',
        '+one',
        '+more',
        ' 2',
        '@@',
        '-4',
        ' 5',
        '@@',
        '-7',
        '+seven',
        '@@',
        ' 9',
        '+10',
        '*** Add File: c.ts',
        '+c',
        '*** Delete File: b.ts',
      ],
      new Map([
        [0, new Set([2, 3])],
        [2, new Set([0])],
      ]),
    );
    expect(text).toBe(
      [
        'Changed a.ts in part:',
        '- hunk 1 of 4 accepted: lines 1-2',
        '- hunk 2 of 4 accepted: 1 line removed at line 5',
        '- hunk 3 of 4 refused, as before: line 7',
        '- hunk 4 of 4 refused, as before: nothing added at line 10',
        'Created c.ts.',
        'Left b.ts as it was: the user refused this change.',
        'Do not repeat what was refused unless the user asks for it.',
      ].join('\n'),
    );
    expect(await contents()).toEqual({
      'a.ts': 'one\nmore\n2\n3\n5\n6\n7\n8\n9\n',
      'b.ts': 'b\n',
      'c.ts': 'c\n',
    });
  });

  test('a move leaves the file where it was, though its deletion was not refused', async () => {
    await putAll({ 'a.ts': 'x\n' });
    const text = await runWith(
      ['*** Update File: a.ts', '*** Move to: b.ts', '*** Add File: c.ts', '+c'],
      new Map([[0, new Set([0])]]),
    );
    expect(text).toContain('Left b.ts as it was: the user refused this change.\nLeft a.ts as it was');
    expect(await contents()).toEqual({ 'a.ts': 'x\n', 'c.ts': 'c\n' });
  });

  test('everything: nothing is written', async () => {
    await putAll({ 'a.ts': 'x\n' });
    const prepared = await prepare('*** Begin Patch\n*** Delete File: a.ts\n*** End Patch');
    const result = await prepared.run({ ...testRun(), rejected: new Map([[0, new Set([0])]]) });
    expect(result).toMatchObject({ isError: true, details: { status: 'denied', path: 'a.ts' } });
    expect(textOf(result)).toContain('The user refused every change; nothing was written.');
    expect(await contents()).toEqual({ 'a.ts': 'x\n' });
  });
});

describe('whatever the patch', () => {
  const fileVersions: fc.Arbitrary<readonly FileVersions[]> = fc
    .uniqueArray(fc.constantFrom('a', 'b', 'sub/c', 'sub/deep/d', 'e f'), { minLength: 1, maxLength: 4 })
    .chain((paths) =>
      fc.tuple(
        ...paths.map((path) =>
          fc
            .tuple(textVersions, fc.constantFrom('add', 'delete', 'update', 'move'))
            .map(([{ before, after }, kind]): FileVersions => {
              const added = after
                .replace(/\r\n/gu, '\n')
                .replace(/^\uFEFF/u, '')
                .replace(/(?<!\n)$/u, '\n');
              if (kind === 'add') return { path, before: undefined, after: added };
              if (kind === 'delete') return { path, before, after: undefined };
              return { path, before, after, ...(kind === 'move' ? { moveTo: `moved/${path}` } : {}) };
            }),
        ),
      ),
    );

  async function withFiles(files: readonly FileVersions[], work: () => Promise<void>): Promise<void> {
    workspace = await createTestWorkspace();
    try {
      for (const { path, before } of files)
        if (before !== undefined) await workspace.put(`proj/${path}`, before);
      await work();
    } finally {
      await workspace.remove();
    }
  }

  test('made of two versions of files it leads to the second', async () => {
    await workspace.remove();
    await fc.assert(
      fc.asyncProperty(fileVersions, (files) =>
        withFiles(files, async () => {
          await (await prepare(printPatch(files))).run(testRun());
          const wanted = files.flatMap(({ path, after, moveTo }) =>
            after === undefined ? [] : [[moveTo ?? path, after] as const],
          );
          expect(await contents()).toEqual(Object.fromEntries(wanted));
        }),
      ),
      { numRuns: 60 },
    );
  });

  test('that is broken it fails with an error of ours and changes nothing, or is a patch', async () => {
    await workspace.remove();
    await fc.assert(
      fc.asyncProperty(fileVersions, mangling, (files, mangle) =>
        withFiles(files, async () => {
          const before = await contents();
          let prepared: PreparedCall;
          try {
            prepared = await prepare(mangle(printPatch(files, 1)));
          } catch (error) {
            expect(error).toBeInstanceOf(PincerError);
            expect(await contents()).toEqual(before);
            return;
          }
          await prepared.run(testRun()).catch(async (error: unknown) => {
            expect(error).toBeInstanceOf(PincerError);
            expect(await contents()).toEqual(before);
          });
        }),
      ),
      { numRuns: 60 },
    );
  });
});
