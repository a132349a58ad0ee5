import { testCall, testRun } from '../../../test/builders/callContexts.ts';
import { chmod, mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestWorkspace,
  textOf,
  type TestWorkspace,
} from '../../../test/samples/tools/createTestWorkspace.ts';
import type { PreparedCall } from '../../contracts/tool.ts';
import { createEditTool } from './edit.ts';
import { planEdits } from './planEdits.ts';
import { createWriteTool } from './write.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createTestWorkspace();
});
afterEach(() => workspace.remove());

function run(prepared: PreparedCall): Promise<unknown> {
  return prepared.run(testRun());
}

describe('write', () => {
  const prepare = (path: string, content: string): Promise<PreparedCall> =>
    createWriteTool(workspace.deps).prepare(testCall(), { path, content });

  test('preparing touches nothing, running writes exactly the content', async () => {
    const prepared = await prepare('new/notes.md', 'hi\r\n');
    expect(await workspace.files()).toEqual([]);
    expect(prepared.effects).toEqual([
      {
        kind: 'edit',
        edit: {
          path: join(workspace.root, 'new/notes.md'),
          label: 'new/notes.md',
          before: null,
          after: 'hi\r\n',
        },
      },
    ]);
    await run(prepared);
    expect(await workspace.files()).toEqual(['proj/new/notes.md']);
    expect(await workspace.get('proj/new/notes.md')).toBe('hi\r\n');
  });

  test('through a link it changes the real file, which is the one that is shown', async () => {
    await workspace.put('proj/real.md', 'old');
    await symlink('real.md', join(workspace.root, 'alias.md'));
    const { effects } = await workspace.call('write', { path: 'alias.md', content: 'new' });
    expect(effects).toMatchObject([{ edit: { label: 'real.md', before: 'old' } }]);
    expect(await workspace.get('proj/real.md')).toBe('new');
  });

  test('the same content again changes nothing and asks for nothing', async () => {
    await workspace.put('proj/a.md', 'x');
    const { effects, result } = await workspace.call('write', { path: 'a.md', content: 'x' });
    expect(effects).toMatchObject([{ kind: 'read' }]);
    expect(textOf(result)).toBe('a.md already has exactly this content.');
  });

  test.each(['[key removed]', '[redacted: github token]', 'KEY=[REDACTED]'])(
    'refuses to write %s, which stands for a secret that the model was not shown',
    async (mark) => {
      await workspace.put('proj/a.md', 'key = abc\n');
      await expect(prepare('a.md', `key = ${mark}\n`)).rejects.toMatchObject({ code: 'edit_placeholder' });
      await expect(prepare('b.md', mark)).rejects.toMatchObject({ code: 'edit_placeholder' });
    },
  );

  test('leaves such a mark that the file has already, and takes an element of a list for none', async () => {
    await workspace.put('proj/a.md', 'It says [key removed].\n');
    await run(await prepare('a.md', 'It said [key removed].\n'));
    await run(await prepare('b.ts', 'const [x] = row[EMAIL];\n'));
    expect(await workspace.get('proj/a.md')).toBe('It said [key removed].\n');
  });

  test('is refused as stale when the file changed, appeared or went away after it was prepared', async () => {
    await workspace.put('proj/a.md', 'old');
    const change = await prepare('a.md', 'mine');
    const create = await prepare('b.md', 'mine');
    await workspace.put('proj/a.md', 'theirs');
    await workspace.put('proj/b.md', 'theirs');
    await expect(run(change)).rejects.toMatchObject({ code: 'edit_stale' });
    await expect(run(create)).rejects.toMatchObject({ code: 'edit_stale' });
    expect(await workspace.get('proj/a.md')).toBe('theirs');
    expect(await workspace.get('proj/b.md')).toBe('theirs');
  });

  test('is refused when a folder on the way became a link after it was prepared', async () => {
    await workspace.put('proj/docs/a.md', 'old');
    await mkdir(join(workspace.root, 'other'));
    await mkdir(join(workspace.folder, 'outside'));
    const inside = await prepare('docs/b.md', 'x');
    await rename(join(workspace.root, 'docs'), join(workspace.root, 'docs2'));
    await symlink('other', join(workspace.root, 'docs'));
    await expect(run(inside)).rejects.toMatchObject({ code: 'path_moved' });

    const outside = await prepare('docs2/c.md', 'x');
    await rename(join(workspace.root, 'docs2'), join(workspace.root, 'docs3'));
    await symlink(join(workspace.folder, 'outside'), join(workspace.root, 'docs2'));
    await expect(run(outside)).rejects.toMatchObject({ code: 'path_link' });
    expect(await workspace.files()).toEqual(['proj/docs', 'proj/docs2', 'proj/docs3/a.md']);
  });

  test('does not overwrite what is no text, nor what is read-only', async () => {
    await workspace.put('proj/a.bin', new Uint8Array([1, 0, 2]));
    await expect(prepare('a.bin', 'x')).rejects.toMatchObject({ code: 'file_binary' });
    await workspace.put('proj/locked.md', 'x');
    await chmod(join(workspace.root, 'locked.md'), 0o444);
    await expect(prepare('locked.md', 'y')).rejects.toMatchObject({ code: 'path_read_only' });
  });

  test('a cancel between the check and the write leaves the file alone', async () => {
    const controller = new AbortController();
    const prepared = await prepare('a.md', 'x');
    controller.abort();
    await expect(prepared.run(testRun(controller.signal))).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(await workspace.files()).toEqual([]);
  });
});

describe('edit', () => {
  const edit = (edits: readonly { oldText: string; newText: string }[]): Promise<unknown> =>
    workspace.call('edit', { path: 'a.ts', edits });

  test('makes all edits in one write', async () => {
    await workspace.put('proj/a.ts', 'const a = 1;\nconst b = 2;\n');
    await edit([
      { oldText: 'b = 2', newText: 'b = 3' },
      { oldText: 'a = 1', newText: 'a = 0' },
    ]);
    expect(await workspace.get('proj/a.ts')).toBe('const a = 0;\nconst b = 3;\n');
  });

  test('writes nothing when one of several does not match', async () => {
    await workspace.put('proj/a.ts', 'const a = 1;\n');
    await expect(
      edit([
        { oldText: 'a = 1', newText: 'a = 0' },
        { oldText: 'b = 2', newText: 'b = 3' },
      ]),
    ).rejects.toMatchObject({ code: 'edit_not_found' });
    expect(await workspace.get('proj/a.ts')).toBe('const a = 1;\n');
  });

  test('whatever the edits, a file is either fully changed or untouched', async () => {
    const text = fc.stringMatching(/^[ab\n]{1,8}$/u);
    const edits = fc.array(fc.record({ oldText: text, newText: text }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(text, edits, async (before, wanted) => {
        await workspace.put('proj/a.ts', before);
        const expected = await edit(wanted).then(
          () => planEdits(before, wanted, 'a.ts').text,
          () => before,
        );
        expect(await workspace.get('proj/a.ts')).toBe(expected);
      }),
      { numRuns: 200 },
    );
    expect(await workspace.files()).toEqual(['proj/a.ts']);
  });

  test('keeps the line ends and the byte order mark of the file', async () => {
    await workspace.put('proj/a.ts', '\uFEFFone\r\ntwo\r\nthree\r\n');
    await edit([{ oldText: 'one\ntwo', newText: '1\n2' }]);
    expect(await workspace.get('proj/a.ts')).toBe('\uFEFF1\r\n2\r\nthree\r\n');
  });

  test('of a file that may hold secrets tells what went wrong only where reading it was agreed to', async () => {
    await workspace.put('proj/.env', 'API_KEY=hunter2\n');
    const params = { path: '.env', edits: [{ oldText: 'API_KEY=hunter3', newText: '' }] };
    const prepared = await createEditTool(workspace.deps).prepare(testCall(), params);
    expect(prepared.effects).toEqual([{ kind: 'read', path: join(workspace.root, '.env') }]);
    await expect(run(prepared)).rejects.toMatchObject({
      code: 'edit_not_found',
      message: expect.stringContaining('hunter2') as string,
    });
    await expect(workspace.call('edit', { ...params, path: 'missing/.env' })).rejects.toMatchObject({
      code: 'path_not_found',
    });
  });

  test('of a missing file says to make it with write', async () => {
    await expect(edit([{ oldText: 'a', newText: 'b' }])).rejects.toMatchObject({
      code: 'path_not_found',
      hint: 'Make it with write.',
    });
  });

  test('parameters that do not fit name the field', async () => {
    await expect(workspace.call('edit', { path: 'a.ts', edits: [] })).rejects.toMatchObject({
      code: 'params_invalid',
      message: expect.stringContaining('edits') as string,
    });
  });
});
