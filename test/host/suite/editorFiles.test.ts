import * as assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createAgentWrites } from '../../../src/editor/host/agentWrites.ts';
import { createEditorFiles } from '../../../src/editor/openEditorRuntime.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { createDiskFiles } from '../../../src/tools/createDiskFiles.ts';
import type { AppliedChange } from '../../../src/tools/workspaceFiles.ts';
import { testCall } from '../../builders/callContexts.ts';

const files = createEditorFiles(createDiskFiles(createNodeFileSystem()), createAgentWrites());

function rootUri(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder !== undefined);
  return folder.uri;
}

/** Each test has a folder of its own: an editor is slow to notice that a file it once had open was written anew. */
let turn = 0;
const uriOf = (name: string): vscode.Uri => vscode.Uri.joinPath(rootUri(), `edited${turn}`, name);

const put = (name: string, content: string | Uint8Array): Thenable<void> =>
  vscode.workspace.fs.writeFile(uriOf(name), typeof content === 'string' ? Buffer.from(content) : content);

async function onDisk(name: string): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(uriOf(name))).toString();
}

type Change = readonly [name: string, before: string | null, after: string | null];
const apply = (...changes: readonly Change[]): Promise<readonly AppliedChange[]> =>
  files.apply(
    changes.map(([name, before, after]) => ({
      root: rootUri().fsPath,
      path: uriOf(name).fsPath,
      before,
      after,
    })),
    testCall(),
  );

async function type(editor: vscode.TextEditor, text: string): Promise<void> {
  assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text)));
}

describe('files that are open', () => {
  beforeEach(async () => {
    turn += 1;
    await put('one.txt', 'one\ntwo\nthree\n');
    await put('two.txt', 'a\r\nb');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('count as the user has them, and are changed and saved so that Undo brings the typed text back', async () => {
    const editor = await vscode.window.showTextDocument(uriOf('one.txt'));
    await type(editor, 'mine ');
    const { fsPath } = uriOf('one.txt');
    assert.equal(await files.readText(fsPath), 'mine one\ntwo\nthree\n');
    // Searching by ripgrep sees the disk alone, so it asks for these.
    assert.deepEqual(files.unsavedPaths?.(), [fsPath]);
    const applied = await apply(['one.txt', 'mine one\ntwo\nthree\n', 'mine one\n2\nthree\nfour']);
    assert.deepEqual(
      applied.map(({ text }) => text),
      ['mine one\n2\nthree\nfour'],
    );
    assert.equal(await onDisk('one.txt'), 'mine one\n2\nthree\nfour');
    assert.equal(editor.document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'mine one\ntwo\nthree\n');
  });

  it('change together with files that are not, and keep line ends, a missing last one, and a byte order mark', async () => {
    await put('mark.txt', '\uFEFFa\n');
    await put('closed.txt', 'closed\n');
    const { document } = await vscode.window.showTextDocument(uriOf('two.txt'));
    await vscode.workspace.openTextDocument(uriOf('mark.txt'));
    const applied = await apply(
      ['closed.txt', 'closed\n', null],
      ['two.txt', 'a\r\nb', 'A\r\nb\r\nc'],
      ['mark.txt', '\uFEFFa\n', '\uFEFFa\nb\n'],
      ['new/made.txt', null, 'made\n'],
    );
    assert.deepEqual(
      applied.map(({ text }) => text),
      [null, 'A\r\nb\r\nc', '\uFEFFa\nb\n', 'made\n'],
    );
    assert.equal(document.getText(), 'A\r\nb\r\nc');
    assert.equal(await onDisk('two.txt'), 'A\r\nb\r\nc');
    assert.equal(await onDisk('mark.txt'), '\uFEFFa\nb\n');
    assert.equal(await onDisk('new/made.txt'), 'made\n');
    await assert.rejects(async () => await onDisk('closed.txt'));
  });

  it('are told as a formatter leaves them', async () => {
    const formatter = vscode.workspace.onWillSaveTextDocument((event) => {
      if (!event.document.uri.path.endsWith('one.txt')) return;
      const end = event.document.lineAt(event.document.lineCount - 1).range.end;
      event.waitUntil(Promise.resolve([vscode.TextEdit.insert(end, '// formatted\n')]));
    });
    try {
      await vscode.workspace.openTextDocument(uriOf('one.txt'));
      const [applied] = await apply(['one.txt', 'one\ntwo\nthree\n', 'one\n']);
      assert.equal(applied?.text, 'one\n// formatted\n');
    } finally {
      formatter.dispose();
    }
  });

  it('stay as they are when one of them changed meanwhile', async () => {
    const editor = await vscode.window.showTextDocument(uriOf('one.txt'));
    await type(editor, 'mine ');
    await assert.rejects(apply(['two.txt', 'a\r\nb', 'A\r\nb'], ['one.txt', 'one\ntwo\nthree\n', 'ONE\n']), {
      code: 'edit_stale',
    });
    assert.equal(editor.document.getText(), 'mine one\ntwo\nthree\n');
    assert.equal(editor.document.isDirty, true);
    assert.equal(await onDisk('two.txt'), 'a\r\nb');
  });

  it('get their old text back when the disk refuses another file', async () => {
    const { document } = await vscode.window.showTextDocument(uriOf('one.txt'));
    await assert.rejects(apply(['one.txt', 'one\ntwo\nthree\n', 'ONE\n'], ['two.txt/x.txt', null, 'x']));
    assert.equal(document.getText(), 'one\ntwo\nthree\n');
    assert.equal(await onDisk('one.txt'), 'one\ntwo\nthree\n');
  });

  it('are closed by being deleted, with what was not saved', async () => {
    const editor = await vscode.window.showTextDocument(uriOf('one.txt'));
    await type(editor, 'mine ');
    assert.deepEqual(
      (await apply(['one.txt', 'mine one\ntwo\nthree\n', null])).map(({ text }) => text),
      [null],
    );
    await assert.rejects(async () => await onDisk('one.txt'));
    assert.equal(editor.document.isDirty, false);
  });
});
