import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testCall } from '../../../test/builders/callContexts.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createDiskFiles } from '../../tools/createDiskFiles.ts';
import type { AppliedChange, WorkspaceFiles } from '../../tools/workspaceFiles.ts';
import { createDocumentFiles } from './createDocumentFiles.ts';
import type { OpenDocument, OpenDocuments } from './openDocuments.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-documents-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const at = (name: string): string => join(root, name);
const put = (name: string, text: string): Promise<void> => writeFile(at(name), text);
const onDisk = (name: string): Promise<string> => readFile(at(name), 'utf8');

/** Documents over real files, as an editor keeps them. */
interface TestEditor extends OpenDocuments {
  open(name: string, options?: { readonly unsaved?: string; readonly mark?: boolean }): Promise<OpenDocument>;
  /** What saving makes of a text; throws nothing, and undefined is a save that fails. */
  format: (name: string, text: string) => string | undefined;
  refuses: boolean;
  readonly agentPaths: string[];
}

function createTestEditor(): TestEditor {
  const documents = new Map<string, { text: string; isDirty: boolean; document: OpenDocument }>();
  const editor: TestEditor = {
    refuses: false,
    agentPaths: [],
    format: (_name, text) => text,
    open: async (name, { unsaved, mark = false } = {}) => {
      const path = at(name);
      const stored = (await onDisk(name)).replace(/^\uFEFF/u, '');
      const state = { text: unsaved ?? stored, isDirty: unsaved !== undefined };
      const document: OpenDocument = {
        path,
        hasByteOrderMark: mark,
        get text() {
          return state.text;
        },
        get isDirty() {
          return state.isDirty;
        },
        save: async () => {
          const text = editor.format(name, state.text);
          if (text === undefined) return false;
          state.text = text;
          await put(name, (mark ? '\uFEFF' : '') + text);
          state.isDirty = false;
          return true;
        },
      };
      documents.set(path, Object.assign(state, { document }));
      return document;
    },
    find: (path) => documents.get(path)?.document,
    unsaved: () => [...documents].filter(([, { isDirty }]) => isDirty).map(([path]) => path),
    setTexts: async (texts) => {
      if (editor.refuses) return false;
      for (const { document, text } of texts)
        Object.assign(documents.get(document.path)!, { text, isDirty: true });
      return true;
    },
    asAgent: async (paths, work) => {
      editor.agentPaths.push(...paths);
      return await work();
    },
  };
  return editor;
}

let editor: TestEditor;
let files: WorkspaceFiles;
beforeEach(() => {
  editor = createTestEditor();
  files = createDocumentFiles(createDiskFiles(createNodeFileSystem()), editor);
});

type Change = readonly [name: string, before: string | null, after: string | null];
const apply = (...changes: readonly Change[]): Promise<readonly AppliedChange[]> =>
  files.apply(
    changes.map(([name, before, after]) => ({ root, path: at(name), before, after })),
    testCall(),
  );

test('unsaved text counts instead of the disk, with the byte order mark that its file has', async () => {
  await put('a', 'saved');
  const { readText } = files;
  await editor.open('a', { unsaved: 'mine', mark: true });
  expect(await readText(at('a'))).toBe('\uFEFFmine');
  await editor.open('a');
  expect(await readText(at('a'))).toBe('saved');
});

test('what is open is changed in the editor and saved, all else on disk; both are told as they are afterwards', async () => {
  for (const name of ['open', 'dirty', 'disk', 'gone']) await put(name, `${name}\n`);
  const open = await editor.open('open', { mark: true });
  await put('open', '\uFEFFopen\n');
  const dirty = await editor.open('dirty', { unsaved: 'mine\n' });
  editor.format = (name, text) => (name === 'open' ? text.replace(';', '') : text);
  const applied = await apply(
    ['disk', 'disk\n', 'DISK\n'],
    ['open', '\uFEFFopen\n', '\uFEFFOPEN;\n'],
    ['gone', 'gone\n', null],
    ['dirty', 'mine\n', 'MINE\n'],
  );
  expect(applied.map(({ text }) => text)).toEqual(['DISK\n', '\uFEFFOPEN\n', null, 'MINE\n']);
  expect([open.text, dirty.text]).toEqual(['OPEN\n', 'MINE\n']);
  expect([open.isDirty, dirty.isDirty]).toEqual([false, false]);
  expect([await onDisk('open'), await onDisk('dirty'), await onDisk('disk')]).toEqual([
    '\uFEFFOPEN\n',
    'MINE\n',
    'DISK\n',
  ]);
  expect(editor.agentPaths).toEqual([at('open'), at('dirty')]);
});

test('a save that the editor drops without a word is asked for again', async () => {
  await put('a', 'saved\n');
  const document = await editor.open('a');
  let drops = 2;
  editor.format = (_name, text) => {
    drops -= 1;
    return drops < 0 ? text : undefined;
  };
  expect(await apply(['a', 'saved\n', 'SAVED\n'])).toEqual([{ path: at('a'), text: 'SAVED\n' }]);
  expect([await onDisk('a'), document.isDirty]).toEqual(['SAVED\n', false]);
});

test('an open document that is deleted goes with what was not saved', async () => {
  await put('a', 'saved\n');
  const document = await editor.open('a', { unsaved: 'mine\n' });
  expect(await apply(['a', 'mine\n', null])).toEqual([{ path: at('a'), text: null }]);
  await expect(onDisk('a')).rejects.toThrow('ENOENT');
  expect(document.isDirty).toBe(false);
});

describe('nothing is changed', () => {
  beforeEach(async () => {
    for (const name of ['one', 'two', 'disk']) await put(name, `${name}\n`);
  });
  const changes: readonly Change[] = [
    ['one', 'mine\n', 'ONE\n'],
    ['disk', 'disk\n', 'DISK\n'],
    ['two', 'two\n', 'TWO\n'],
  ];
  const stored = async (): Promise<readonly string[]> => [await onDisk('two'), await onDisk('disk')];

  test('when the user has typed on since the change was prepared', async () => {
    const one = await editor.open('one', { unsaved: 'mine, and more\n' });
    const two = await editor.open('two');
    await expect(apply(...changes)).rejects.toMatchObject({ code: 'edit_stale' });
    expect([one.text, two.text, one.isDirty]).toEqual(['mine, and more\n', 'two\n', true]);
    expect([await onDisk('one'), ...(await stored())]).toEqual(['one\n', 'two\n', 'disk\n']);
  });

  test('when a file that is not open changed: it is looked at before the editor is touched', async () => {
    const one = await editor.open('one', { unsaved: 'mine\n' });
    await put('disk', 'theirs\n');
    await expect(apply(...changes)).rejects.toMatchObject({ code: 'edit_stale' });
    expect([one.text, one.isDirty]).toEqual(['mine\n', true]);
  });

  test('when the editor refuses', async () => {
    await editor.open('one', { unsaved: 'mine\n' });
    editor.refuses = true;
    await expect(apply(...changes)).rejects.toMatchObject({ code: 'io_failed' });
    expect(await stored()).toEqual(['two\n', 'disk\n']);
  });

  test('when saving one of them fails: the old texts are put back, saved where they were saved', async () => {
    const one = await editor.open('one', { unsaved: 'mine\n' });
    const two = await editor.open('two');
    editor.format = (name, text) => (name === 'two' && text !== 'two\n' ? undefined : text);
    await expect(apply(...changes)).rejects.toMatchObject({
      code: 'io_failed',
      message: expect.stringContaining(at('two')) as string,
    });
    expect([one.text, two.text]).toEqual(['mine\n', 'two\n']);
    expect([await onDisk('one'), ...(await stored())]).toEqual(['mine\n', 'two\n', 'disk\n']);
  });

  test('when the disk fails after the documents were saved', async () => {
    const one = await editor.open('one', { unsaved: 'mine\n' });
    const two = await editor.open('two');
    const disk = createDiskFiles(createNodeFileSystem());
    const failing: WorkspaceFiles = { ...disk, apply: () => Promise.reject(new Error('disk full')) };
    files = createDocumentFiles(failing, editor);
    await expect(apply(...changes)).rejects.toThrow('disk full');
    expect([one.text, two.text, await onDisk('two')]).toEqual(['mine\n', 'two\n', 'two\n']);
  });

  test('and where the old text can not be put back, the file is named', async () => {
    await editor.open('one', { unsaved: 'mine\n' });
    await editor.open('two');
    editor.format = (name, text) => {
      if (name === 'one') return text;
      editor.refuses = true;
      return undefined;
    };
    await expect(apply(...changes)).rejects.toMatchObject({
      code: 'edit_not_undone',
      message: expect.stringContaining(`${at('one')}, ${at('two')}`) as string,
    });
  });
});
