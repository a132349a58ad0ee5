import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { textAnswer, toolCallAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { atSize, withoutFocus } from './driver/looks.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { answerDialog } from './driver/dialogs.ts';
import { isHeardBy, isInTime, seeing, tryMs, until } from './driver/until.ts';
import { untilYesCounts } from './untilYesCounts.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = { files: { 'README.md': '# Boat\n' } };

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

const write = (path: string, content = 'x\n') =>
  toolCallAnswer([{ name: 'write', arguments: { path, content } }]);
const exec = (command: string) => toolCallAnswer([{ name: 'exec', arguments: { command } }]);

const isWritten = (bench: Workbench, path: string) => async (): Promise<boolean> =>
  (await bench.read(path)) !== undefined;

const picker = (page: Page) => page.locator('.quick-input-widget').filter({ visible: true });

/** Two chats of the window, each with a question that waits; the second one shows. */
async function askInTwoChats(bench: Workbench, first: string, second: string): Promise<void> {
  await bench.chat.send('Do the first');
  await bench.chat.waitForText(first);
  await bench.newSession();
  await bench.chat.send('Do the second');
  await bench.chat.waitForText(second);
}

describe('questions of one kind and folder are allowed together', () => {
  it('by the link of the chat, the row of the view and the palette, each with what it covers', async ({
    withWorkbench,
  }) => {
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('together', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, notifications, palette, views, page, screenshot } = bench;
      await views.open('Pincer', 'Approvals');
      const approvals = views.tree('Approvals');

      server.script(write('t-a.md'), write('t-b.md'), textAnswer('Over.'), textAnswer('Over.'));
      await askInTwoChats(bench, 'Write t-a.md', 'Write t-b.md');
      await chat.waitForText('Allow all 2 edits of 2 sessions');
      const rows = async (): Promise<readonly string[]> =>
        (await chat.answer().locator('code').allInnerTexts()).map((row) => row.trim());
      await expect.poll(rows).toEqual(['Write t-a.md', 'Write t-b.md']);
      await approvals.row('Allow all 2 edits of 2 sessions').locator.waitFor();
      await screenshot('i-together');
      await chat.decide('Allow all 2 edits of 2 sessions');
      await until('the first file', isWritten(bench, 't-a.md'));
      await until('the second file', isWritten(bench, 't-b.md'));
      await chat.waitForText('Allowed 2 edits of 2 sessions in the chat: Write t-b.md');
      await server.waitForAnswers(4);
      // Late: nothing is left to be allowed.
      await chat.unfoldSteps('Allow all 2 edits of 2 sessions');
      await seeing(page.locator('.statusbar-item').getByText('Answered already: Allowed 2 edits'), () =>
        chat.click('Allow all 2 edits of 2 sessions'),
      );
      expect((await notifications.texts()).join()).not.toContain('Allowed 0 of 2');

      server.script(exec('touch c.md'), exec('touch d.md'), textAnswer('Over.'), textAnswer('Over.'));
      await bench.newSession();
      await askInTwoChats(bench, 'touch c.md', 'touch d.md');
      const row = approvals.row('Allow all 2 commands of 2 sessions');
      await row.locator.waitFor();
      await chat.waitForText('Allow all 2 commands of 2 sessions');
      await atSize(page, { width: 1000, height: 900 }, async () => {
        await screenshot('i-together-commands');
      });
      await untilYesCounts(bench);
      await row.click();
      await until('the first command', isWritten(bench, 'c.md'));
      await until('the second command', isWritten(bench, 'd.md'));
      await server.waitForAnswers(8);
      await approvals.row('History').expand();
      await approvals
        .row('Run a command: touch c.md')
        .waitForText('Allowed 2 commands of 2 sessions in the Approvals view');
      await approvals.row('Write t-a.md').waitForText('Allowed 2 edits of 2 sessions in the chat');

      server.script(write('t-e.md'), write('t-f.md'), textAnswer('Over.'), textAnswer('Over.'));
      await bench.newSession();
      await askInTwoChats(bench, 'Write t-e.md', 'Write t-f.md');
      await untilYesCounts(bench);
      await palette.run('Pincer: Allow All Requests of One Kind…');
      await picker(page).getByText('Write t-e.md · Write t-f.md').waitFor();
      await screenshot('i-together-palette');
      await page.keyboard.press('Enter');
      await until('the first file', isWritten(bench, 't-e.md'));
      await until('the second file', isWritten(bench, 't-f.md'));
      await approvals
        .row('Write t-f.md')
        .waitForText('Allowed 2 edits of 2 sessions from the command palette');
      await server.waitForAnswers(12);
      await chat.waitForAnswer(/Over\./u);
    });
  });

  it('not where one is a command and one an edit', async ({ withWorkbench }) => {
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('not-together', { workspace, trust: 'trusted', home }, async (bench) => {
      await bench.views.open('Pincer', 'Approvals');
      server.script(write('n-a.md'), exec('touch n-b.md'), textAnswer('Over.'), textAnswer('Over.'));
      await askInTwoChats(bench, 'Write n-a.md', 'touch n-b.md');
      const approvals = bench.views.tree('Approvals');
      await approvals.row('Write n-a.md').locator.waitFor();
      await approvals.row('Run a command').locator.waitFor();
      expect((await approvals.labels()).filter((label) => label.startsWith('Allow all'))).toEqual([]);
      expect(await bench.chat.answerText()).not.toContain('Allow all 2');
      await bench.chat.decide('Deny');
      await approvals.row('Write n-a.md').action('Deny');
      await server.waitForAnswers(4);
      await bench.chat.waitForAnswer(/Over\./u);
    });
  });
});

it('for the turn covers one folder of several, and says which', async ({ withWorkbench }) => {
  server.script(
    write('boat/a.md'),
    write('boat/b.md'),
    write('shore/c.md'),
    write('shore/d.md'),
    textAnswer('All four.'),
  );
  const folders = {
    boat: { files: { 'README.md': '# Boat\n' } },
    shore: { files: { 'README.md': '# Shore\n' } },
  };
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('turn-of-folder', { workspace: { folders }, trust: 'trusted', home }, async (bench) => {
    const { chat, palette, page, screenshot } = bench;
    await chat.send('Write all four');
    await chat.waitForText('Write boat/a.md');
    await screenshot('i-turn-of-folder');
    await chat.decide('Allow all edits of this turn in the folder boat');
    await chat.waitForText('Write shore/c.md');
    expect(await bench.read('boat/b.md')).toBe('x\n');
    expect(await bench.read('shore/c.md')).toBeUndefined();
    await untilYesCounts(bench);
    await palette.run('Pincer: Allow All Edits of This Turn…');
    await picker(page).getByText('Allow all edits of this turn in the folder shore').waitFor();
    await screenshot('i-turn-of-folder-palette');
    await page.keyboard.press('Enter');
    await chat.waitForAnswer(/All four\./u);
    expect(await bench.read('shore/d.md')).toBe('x\n');
    await screenshot('i-created-files');
  });
});

it('for the session says from the menu of a row what it covers, before it counts', async ({
  withWorkbench,
}) => {
  server.script(exec('touch s.md'), exec('touch s.md'), textAnswer('Twice.'));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('session-by-menu', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, views, page, screenshot } = bench;
    await views.open('Pincer', 'Approvals');
    await chat.send('Touch it twice');
    const row = views.tree('Approvals').row('Run a command');
    await row.locator.waitFor();
    await untilYesCounts(bench);
    await row.menu('Allow for This Session…');
    await picker(page).getByText('Allow exec touch s.md for this session').waitFor();
    await screenshot('i-session-by-menu');
    expect(await bench.read('s.md')).toBeUndefined();
    await page.keyboard.press('Enter');
    await chat.waitForAnswer(/Twice\./u);
  });
});

it('a part of the hunks is said where it is allowed: in the row, the palette and the notification', async ({
  withWorkbench,
}) => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${String(at + 1)}\n`);
  const changed = lines
    .map((line, at) => (at === 4 || at === 20 || at === 36 ? `new ${line}` : line))
    .join('');
  server.script(write('part.md', changed), textAnswer('Done.'));
  const files = { 'part.md': lines.join('') };
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('apply-part', { workspace: { files }, trust: 'trusted', home }, async (bench) => {
    const { chat, editors, notifications, palette, views, page, screenshot } = bench;
    await views.open('Pincer', 'Approvals');
    await chat.send('Change three lines');
    await editors.diff.codeLens('✗ Reject', 2);
    const row = views.tree('Approvals').row('Write part.md');
    await row.waitForText('Apply 2 of 3');
    await palette.run('Pincer: Allow Once');
    await picker(page).getByText('Apply 2 of 3: Write part.md').waitFor();
    await screenshot('i-apply-part-palette');
    await page.keyboard.press('Escape');
    await editors.close('part.md (proposed)');
    await notifications.waitFor('Write part.md');
    expect(await notifications.buttons('Write part.md')).toEqual([
      'Apply 2 of 3',
      'Deny',
      'Say why…',
      'Review 3 hunks',
    ]);
    expect(await notifications.waitFor('Write part.md')).toContain('while this window has the focus');
    await screenshot('i-apply-part');
    await untilYesCounts(bench);
    await notifications.click('Write part.md', 'Apply 2 of 3');
    const answer = await chat.waitForAnswer(/Write part\.md: 2 of 3 hunks accepted/u);
    expect(answer.match(/2 of 3 hunks/gu)).toHaveLength(1);
    await screenshot('i-applied-part');
    const part = (await bench.read('part.md')) ?? '';
    expect(part.split('\n').filter((line) => line.startsWith('new '))).toEqual(['new line 5', 'new line 37']);
  });
});

describe('the key of the chat’s input', () => {
  it('names what the chat shows whole and allows it, by the keyboard alone', async ({ withWorkbench }) => {
    server.script(exec('touch key.md'), textAnswer('Touched.'));
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('chat-key', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, page, screenshot } = bench;
      const status = page.locator('.statusbar-item[id*="pincer.status"]');
      await chat.send('Touch it');
      await chat.waitForText('touch key.md');
      await status.filter({ hasText: /1 question · [0-2]:\d\d/u }).waitFor();
      await untilYesCounts(bench);
      const title = picker(page).getByText('Allow once: Run a command');
      await until('the list of the key', async () => {
        if (!(await title.isVisible())) await page.keyboard.press('Control+Alt+Enter');
        return await isInTime(() => title.waitFor({ timeout: tryMs }));
      });
      await screenshot('i-chat-key');
      expect(await bench.read('key.md')).toBeUndefined();
      await page.keyboard.press('Enter');
      await chat.waitForAnswer(/Touched\./u);
      expect(await bench.read('key.md')).toBe('');
    });
  });

  it('does nothing where the chat does not show it whole', async ({ withWorkbench }) => {
    const long = `echo ${Array.from({ length: 400 }, (_, at) => `word-${String(at)}`).join(' ')}`;
    server.script(exec(long), textAnswer('Over.'));
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('chat-key-unseen', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, page } = bench;
      await chat.send('Say it');
      await chat.waitForText('Review…');
      await page.keyboard.press('Control+Alt+Enter');
      // The next key of the queue has been handled by then: the key before it opened nothing.
      await page.keyboard.press('F1');
      await picker(page).locator('input.input').waitFor();
      expect(await picker(page).locator('input.input').inputValue()).toBe('>');
      await page.keyboard.press('Escape');
      await chat.decide('Deny');
      await chat.waitForAnswer(/Over\./u);
    });
  });
});

it('tells commands of earlier windows apart', async ({ withWorkbench }) => {
  server.script(exec('touch h-one.md'), exec('touch h-two.md'), textAnswer('Neither.'));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('history-of-commands', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, views, screenshot } = bench;
    await chat.send('Touch two');
    await chat.waitForText('touch h-one.md');
    await chat.decide('Deny');
    await chat.waitForText('touch h-two.md');
    await chat.decide('Deny');
    await chat.waitForAnswer(/Neither\./u);
    await bench.reload();
    await views.open('Pincer', 'Approvals');
    const approvals = views.tree('Approvals');
    await approvals.row('History').expand();
    await approvals.row('Run a command: touch h-one.md').waitForText('Denied in the chat');
    await approvals.row('Run a command: touch h-two.md').waitForText('Denied in the chat');
    await screenshot('i-history-of-commands');
  });
});

it('the time of a question stands still while the window does not have the focus', async ({
  withWorkbench,
}) => {
  server.script(exec('touch f.md'), textAnswer('Not now.'));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('time-stands-still', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, page, screenshot } = bench;
    const status = page.locator('.statusbar-item[id*="pincer.status"]').filter({ hasText: '1 question' });
    const pause = status.locator('.codicon-debug-pause');
    await chat.send('Touch it');
    await chat.waitForText('touch f.md');
    await status.waitFor();
    expect(await pause.count()).toBe(0);
    await withoutFocus(page, async () => {
      await pause.waitFor();
      await screenshot('i-time-stands-still');
    });
    await pause.waitFor({ state: 'detached' });
    await chat.decide('Deny');
    await chat.waitForAnswer(/Not now\./u);
  });
});

it('the panel’s own permission to allow everything answers nothing, and the question says so', async ({
  withWorkbench,
}) => {
  server.script(exec('touch p.md'), textAnswer('Not done.'));
  const home = homeWithModel(server.baseUrl);
  const options = { workspace, trust: 'trusted', home, leaves: 'the permissions of the panel' } as const;
  await withWorkbench('panel-allows-all', options, async (bench) => {
    const { chat, page, screenshot } = bench;
    const list = page.locator('.action-widget').filter({ visible: true }).first();
    const chosen = list.locator('.monaco-list-row.focused');
    // The input of a session that has just begun takes the focus once more, which closes the list.
    await until('the list of permissions', async () => {
      if (await list.locator('.monaco-list:focus').isVisible()) return true;
      if (!(await list.isVisible()))
        await page.locator('.interactive-session').getByText('Default permissions').click();
      return false;
    });
    await until('the permission after the first one', async () => {
      await page.keyboard.press('ArrowDown');
      return (await chosen.allInnerTexts()).join().includes('Allow all');
    });
    await until('it to be taken', () => isHeardBy(list, () => page.keyboard.press('Enter')));
    await answerDialog(page, 'Enable');
    await page.locator('.interactive-session').getByText('Allow all').waitFor();
    await chat.send('Touch it');
    await chat.waitForText('The permissions of the chat panel do not apply to Pincer.');
    await screenshot('i-panel-allows-all');
    expect(await bench.read('p.md')).toBeUndefined();
    await chat.decide('Deny');
    await chat.waitForAnswer(/Not done\./u);
  });
});
