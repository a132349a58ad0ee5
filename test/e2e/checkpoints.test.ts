import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { textAnswer, toolCallAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { answerDialog } from './driver/dialogs.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = { files: { 'log.md': 'day one\n', 'notes.md': 'mine\n' } };

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

const write = (path: string, content: string) =>
  toolCallAnswer([{ name: 'write', arguments: { path, content } }]);

/** Two turns: the first answers, the second changes two files and makes one. */
async function changeFiles({ chat }: Workbench): Promise<void> {
  server.script(textAnswer('A boat.'));
  await chat.send('What is this?');
  await chat.waitForAnswer(/A boat/u);
  server.script(
    write('log.md', 'day two\n'),
    write('notes.md', 'yours\n'),
    write('new.md', 'made\n'),
    textAnswer('All done.'),
  );
  await chat.send('Change the files');
  for (const path of ['log.md', 'notes.md', 'new.md']) {
    await chat.waitForText(`Write ${path}`);
    await chat.decide('Allow once');
  }
  await chat.waitForAnswer(/All done\./u);
}

async function confirm({ page }: Workbench, button: string): Promise<string> {
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  const text = await dialog.innerText();
  await answerDialog(page, button);
  return text;
}

it('restores files and conversation from the chat, asks about what the user changed, and can be undone', async ({
  withWorkbench,
}) => {
  const options = { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) } as const;
  await withWorkbench('checkpoint-restore', options, async (bench) => {
    const { chat, palette, notifications, page, read, screenshot } = bench;
    await changeFiles(bench);
    await screenshot('e-checkpoint-links');
    await writeFile(join(bench.workspace, 'notes.md'), 'mine again\n');

    await chat.click('Restore…');
    await until('the parts to be offered', async () => (await palette.entries()).includes('Files'));
    await screenshot('e-checkpoint-parts');
    await palette.pick('Files and conversation');
    await until('the conflict to be shown', async () => (await palette.entries()).includes('notes.md'));
    await screenshot('e-checkpoint-conflicts');
    await page.keyboard.press('Enter');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await screenshot('e-checkpoint-confirm');
    const question = await confirm(bench, 'Restore');
    expect(question).toContain('Restore 2 files to before “Change the files”?');
    expect(question).toContain('Stay as they are (1): notes.md');

    await until(
      'the files to be back',
      async () => (await read('log.md')) === 'day one\n' && (await read('new.md')) === undefined,
    );
    expect(await read('notes.md')).toBe('mine again\n');
    await page.getByText('This chat goes on after “What is this?”').first().waitFor();
    await page
      .getByText(/^(?:@pincer )?Continue “What is this\?” \(\d{4}-\d\d-\d\d [\d:]{8}\)$/u)
      .first()
      .waitFor();
    const input = page.locator('.interactive-session .chat-input-container .monaco-editor').first();
    await until('the message to wait in the input', async () =>
      (await input.innerText()).replace(/\u00A0/gu, ' ').includes('@pincer Change the files'),
    );
    await screenshot('e-checkpoint-restored');

    await notifications.click('Restored 2 files.', 'Undo');
    const both = async (): Promise<string> => `${await read('log.md')}${await read('new.md')}`;
    await until('the files to be changed again', async () => (await both()) === 'day two\nmade\n', {
      seen: both,
    });

    server.script(textAnswer('Once more.'));
    await chat.send('Only the log');
    await chat.waitForAnswer(/Once more/u);
    const sent = JSON.stringify(server.requests.at(-1)?.body?.messages);
    expect(sent).toContain('What is this?');
    expect(sent).not.toContain('Change the files');
  });
});

it('shows what a turn changed, and restores it from the palette after a reload', async ({
  withWorkbench,
}) => {
  const options = { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) } as const;
  await withWorkbench('checkpoint-palette', options, async (bench) => {
    const { palette, page, read, screenshot } = bench;
    await changeFiles(bench);
    await bench.reload();
    await palette.run('Pincer: Show Changes of a Turn…');
    await until('the turn to be offered', async () => (await palette.entries()).includes('Change the files'));
    await screenshot('e-checkpoint-pick');
    await palette.pick('Change the files');
    await page.locator('.multiDiffEntry').first().waitFor();
    await until('three files', async () => (await page.locator('.multiDiffEntry').count()) === 3);
    await screenshot('e-checkpoint-diff');

    await palette.run('Pincer: Restore Checkpoint…');
    await until('the turn to be offered', async () => (await palette.entries()).includes('Change the files'));
    await palette.pick('Change the files');
    await until('the parts to be offered', async () => (await palette.entries()).includes('Files'));
    await palette.pick('Files');
    expect(await confirm(bench, 'Restore')).toContain('Restore 3 files');
    // One after the other.
    const found = async () => await Promise.all(['log.md', 'new.md', 'notes.md'].map(read));
    await expect.poll(found).toEqual(['day one\n', undefined, 'mine\n']);
  });
});

it('overwrites unsaved text only when it is ticked, and undoing brings even that back', async ({
  withWorkbench,
}) => {
  const options = { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) } as const;
  await withWorkbench('checkpoint-unsaved', options, async (bench) => {
    const { chat, editors, palette, notifications, page, read, screenshot } = bench;
    server.script(write('log.md', 'day two\n'), textAnswer('All done.'));
    await chat.send('Change the log');
    await chat.waitForText('Write log.md');
    await chat.decide('Allow once');
    await chat.waitForAnswer(/All done\./u);
    await editors.open('log.md');
    await page.locator('.part.editor .monaco-editor').click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.insertText('unsaved ');
    await editors.waitForText('unsaved');
    expect(await read('log.md')).toBe('day two\n');

    await palette.run('Pincer: Restore Checkpoint…');
    await until('the turn to be offered', async () => (await palette.entries()).includes('Change the log'));
    await palette.pick('Change the log');
    await until('the parts to be offered', async () => (await palette.entries()).includes('Files'));
    await palette.pick('Files');
    await until('the conflict to be shown', async () => (await palette.entries()).includes('log.md'));
    await palette.pick('log.md');
    await screenshot('e-checkpoint-unsaved');
    await page.keyboard.press('Enter');
    expect(await confirm(bench, 'Restore')).toContain('Your own changes in these are lost (1): log.md');
    await until('the file to be back', async () => (await read('log.md')) === 'day one\n');
    await editors.waitForText('day one');

    await notifications.click('Restored 1 file.', 'Undo');
    await until('the unsaved text on disk', async () => (await read('log.md')) === 'unsaved day two\n');
  });
});
