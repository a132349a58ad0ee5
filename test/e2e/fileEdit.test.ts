import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { textAnswer, toolCallAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { until } from './driver/until.ts';
import { untilYesCounts } from './untilYesCounts.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = { files: { 'README.md': '# Boat\n\nShe leaks.\n', 'log.md': 'day one\n' } };
const proposed = 'day one\nday two\n';

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

function scriptReadThenWrite(): void {
  server.script(
    toolCallAnswer([{ name: 'read', arguments: { path: 'README.md' } }]),
    toolCallAnswer([{ name: 'write', arguments: { path: 'log.md', content: proposed } }], {
      text: 'I will add a day.',
    }),
    textAnswer('All ', 'done.'),
  );
}

it('touches no disk before Accept in the diff, and writes exactly what was shown after it', async ({
  withWorkbench,
}) => {
  scriptReadThenWrite();
  await withWorkbench(
    'edit-accept',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async (bench) => {
      const { chat, editors, read, screenshot } = bench;
      await chat.send('Add a day to the log');
      await editors.diff.waitFor();
      await editors.diff.waitForNewText('day two');
      await chat.waitForText('Write log.md');
      await screenshot('b-edit-waits-for-approval');
      expect(await read('log.md')).toBe('day one\n');

      await untilYesCounts(bench);
      await editors.diff.titleAction('Accept');
      await chat.waitForAnswer(/All done\./u);
      expect(await read('log.md')).toBe(proposed);
      await editors.waitForClosed('log.md (proposed)');
      await screenshot('b-edit-accepted');

      const sent = server.requests[1]?.body?.messages.at(-1);
      expect(JSON.stringify(sent)).toContain('She leaks.');
    },
  );
});

it('leaves the file alone after Reject, and tells the model', async ({ withWorkbench }) => {
  scriptReadThenWrite();
  await withWorkbench(
    'edit-reject',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async (bench) => {
      await bench.chat.send('Add a day to the log');
      await bench.editors.diff.waitFor();
      await bench.page.locator('.monaco-diff-editor .editor.modified').click();
      await bench.page.keyboard.press('ControlOrMeta+Backspace');
      await bench.chat.waitForAnswer(/denied/u);
      expect(await bench.read('log.md')).toBe('day one\n');
      expect(JSON.stringify(server.requests[2]?.body?.messages.at(-1))).toContain('Denied by user');
      await bench.screenshot('b-edit-rejected');
    },
  );
});

it('leaves the file alone when nobody answers in time', async ({ withWorkbench }) => {
  scriptReadThenWrite();
  const home = homeWithModel(server.baseUrl, { approvals: { timeoutMs: 1500 } });
  await withWorkbench('edit-timeout', { workspace, trust: 'trusted', home }, async (bench) => {
    await bench.chat.send('Add a day to the log');
    await bench.chat.waitForAnswer(/nobody answered in time/u);
    expect(await bench.read('log.md')).toBe('day one\n');
    await bench.editors.waitForClosed('log.md (proposed)');
    await bench.screenshot('b-edit-timed-out');
  });
});

it('takes the answer from the notification, the chat and the Approvals view alike', async ({
  withWorkbench,
}) => {
  const write = (path: string) => toolCallAnswer([{ name: 'write', arguments: { path, content: 'x\n' } }]);
  server.script(write('one.md'), write('two.md'), write('three.md'), textAnswer('Three files.'));
  await withWorkbench(
    'edit-surfaces',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async (bench) => {
      await bench.views.open('Pincer');
      await bench.chat.send('Write three files');

      // No toast covers what is in sight; who closes it is asked by one.
      await bench.editors.diff.waitFor();
      expect(await bench.notifications.countToasts('Write one.md')).toBe(0);
      await bench.editors.close('one.md (proposed)');
      await bench.notifications.waitFor('Write one.md');
      await expect
        .poll(() => bench.notifications.buttons('Write one.md'))
        .toEqual(['Allow once', 'Always allow', 'Deny', 'Say why…', 'Show diff']);
      await bench.screenshot('b-approval-notification');
      await bench.notifications.decide(
        'Write one.md',
        'Allow once',
        async () => (await bench.read('one.md')) !== undefined,
      );

      await bench.chat.waitForText('Write two.md');
      // The button of the second question comes a moment after its text; that of the first is spent.
      await until(
        'the second button',
        async () => (await bench.chat.answer().locator('.chat-command-button').count()) === 2,
      );
      await bench.screenshot('b-approval-in-chat');
      await bench.chat.decide('Allow once');

      const row = bench.views.tree('Approvals').row('Write three.md');
      await row.locator.waitFor();
      await bench.screenshot('b-approvals-view');
      await untilYesCounts(bench);
      await row.action('Allow Once');

      await bench.chat.waitForAnswer(/Three files\./u);
      for (const name of ['one.md', 'two.md', 'three.md']) expect(await bench.read(name)).toBe('x\n');
    },
  );
});

it('writes through an open editor, so that Undo brings the old text back', async ({ withWorkbench }) => {
  scriptReadThenWrite();
  await withWorkbench(
    'edit-undo',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async (bench) => {
      // Quick open also has files of that name that an earlier test had open.
      await bench.editors.open('log.md');
      await bench.chat.send('Add a day to the log');
      await bench.editors.diff.waitFor();
      await bench.page.locator('.monaco-diff-editor .editor.modified').click();
      await untilYesCounts(bench);
      await bench.page.keyboard.press('ControlOrMeta+Enter');
      await bench.chat.waitForAnswer(/All done\./u);
      expect(await bench.read('log.md')).toBe(proposed);

      await bench.editors.waitForClosed('log.md (proposed)');
      await bench.editors.waitForActive('log.md');
      await bench.editors.waitForText('day two');
      await bench.page.locator('.part.editor .monaco-editor').last().click();
      await bench.page.keyboard.press('ControlOrMeta+Z');
      await bench.page.keyboard.press('ControlOrMeta+S');
      await until(
        'the old text on disk',
        async () => (await readFile(join(bench.workspace, 'log.md'), 'utf8')) === 'day one\n',
      );
    },
  );
});
