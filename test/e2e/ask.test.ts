import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { textAnswer } from '../builders/scriptedModelServer.ts';
import { takeEntry } from './driver/dialogs.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { createProblems } from './driver/problems.ts';
import { tryMs, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = {
  files: {
    'harbour.md': 'one\ntwo <attachment>\nthree\nfour\n',
    'chart.json': '{\n  "depth": 3\n  "rocks": true\n}\n',
  },
};

/** Opens our part of the context menu of a place. */
async function openOurs({ page }: Workbench, place: Locator): Promise<void> {
  await place.click({ button: 'right', timeout: tryMs });
  const ours = page.locator('.monaco-menu').getByRole('menuitem', { name: 'Pincer', exact: true });
  await ours.hover({ timeout: tryMs });
}

/** Takes an entry of our part of the context menu of a place; `shown` is called when it shows. */
async function chooseOfOurs(
  bench: Workbench,
  place: Locator,
  entry: string,
  shown?: () => Promise<void>,
): Promise<void> {
  // In the menu itself VS Code has an `Explain` of its own.
  const ours = bench.page.locator('.monaco-submenu').getByRole('menuitem', { name: entry, exact: true });
  await takeEntry(bench.page, ours, async () => {
    await openOurs(bench, place);
    await shown?.();
  });
}

const inputOf = ({ page }: Workbench) => page.locator('.interactive-session .chat-input-container');

it('explains, fixes and adds to the chat what an editor shows, and asks about what a terminal shows', async ({
  withWorkbench,
  server,
}) => {
  server.answerAll(() => textAnswer('Aye, I see it.'));
  /** The words of the last message, and all that was attached to it. */
  const sent = (): string => JSON.stringify(server.requests.at(-1)?.body?.messages.at(-1)?.content ?? '');
  const options = {
    workspace,
    trust: 'trusted',
    home: homeWithModel(server.baseUrl),
    leaves: 'an untitled document and a terminal',
  } as const;
  await withWorkbench('ask', options, async (bench) => {
    const { chat, editors, page, palette, screenshot } = bench;
    const line = (text: string) => page.locator('.part.editor .view-line').getByText(text);
    const focused = inputOf(bench).locator('.monaco-editor.focused');
    const attached = page.locator('.interactive-session .chat-attached-context-attachment:not(.implicit)');

    await palette.openFile('harbour.md');
    await editors.waitForActive('harbour.md');
    await line('two').click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await chooseOfOurs(bench, line('two'), 'Explain', () => screenshot('ask-menu'));
    await until('the explanation', () => Promise.resolve(sent().includes('Explain `harbour.md`, line 2.')));
    await chat.waitForAnswer(/Aye/u);
    await screenshot('ask-explained');
    expect(sent()).toContain('2: two &lt;attachment>');
    expect(sent()).not.toContain('3: three');

    // A second place leaves what was written since the first one.
    await chooseOfOurs(bench, line('two'), 'Add to Chat');
    await attached.filter({ hasText: 'harbour.md:2' }).first().waitFor();
    await focused.waitFor();
    await page.keyboard.type('Compare');
    await line('four').click();
    await page.keyboard.press('Shift+Home');
    await palette.run('Pincer: Add to Chat');
    await attached.filter({ hasText: 'harbour.md:4' }).first().waitFor();
    await palette.openFile('chart.json');
    await editors.waitForActive('chart.json');
    await chooseOfOurs(bench, line('depth'), 'Add to Chat');
    await attached.filter({ hasText: 'chart.json' }).first().waitFor();
    await focused.getByText('@pincer Compare').waitFor();
    await screenshot('ask-added');
    await page.keyboard.press('Enter');
    await until('both', () => Promise.resolve(sent().includes('Compare')));
    await chat.waitForAnswer(/Aye/u);
    expect(sent()).toContain('2: two');
    expect(sent()).toContain('4: four');
    expect(sent()).toContain('rocks');

    const problems = createProblems(page);
    await problems.open();
    await problems.row(/Expected comma/u).waitFor();
    await problems.fix(/Expected comma/u, 'Fix with Pincer');
    await until('the fix', () => Promise.resolve(sent().includes('Fix this problem of')));
    await chat.waitForAnswer(/Aye/u);
    await screenshot('ask-fix');
    expect(sent()).toContain('`chart.json`, line 3: `Expected comma`');
    expect(sent()).toContain('"rocks');

    await palette.run('File: New Untitled Text File');
    await editors.waitForActive('Untitled-1');
    await editors.waitForFocus();
    await page.keyboard.type('never saved');
    await palette.run('Pincer: Explain');
    await until('the untitled text', () => Promise.resolve(sent().includes('never saved')));
    await chat.waitForAnswer(/Aye/u);
    await screenshot('ask-untitled');

    await palette.run('Terminal: Create New Terminal');
    const terminal = page.locator('.terminal-wrapper.active .xterm-screen');
    await terminal.waitFor();
    await terminal.click();
    await page.keyboard.type('echo sea"bed"\n');
    const shown = page.locator('.terminal-wrapper.active .xterm-rows > div');
    const output = shown.filter({ hasText: /^seabed/u });
    // The prompt is what comes last: nothing moves or clears a selection after it.
    await output.locator('xpath=following-sibling::div[1]').filter({ hasText: /\S/u }).waitFor();
    // The terminal takes the mouse in a layer above its text.
    const word = { position: { x: 15, y: 5 }, force: true };
    await output.dblclick(word);
    await page.locator('.terminal-wrapper.active .xterm-selection > div').first().waitFor();
    const entry = page.locator('.monaco-menu').getByRole('menuitem', { name: 'Ask Pincer About Selection' });
    await takeEntry(page, entry, async () => {
      await output.click({ ...word, button: 'right', timeout: tryMs });
      await screenshot('ask-terminal-menu');
    });
    await attached.filter({ hasText: 'Terminal' }).first().waitFor();
    await focused.getByText('@pincer').waitFor();
    await page.keyboard.type('What is this?');
    await screenshot('ask-terminal');
    await page.keyboard.press('Enter');
    await until('the terminal', () => Promise.resolve(sent().includes('seabed')));
    await chat.waitForAnswer(/Aye/u);
    await screenshot('ask-terminal-answer');
    expect(sent()).toContain('<attachment name=\\"Terminal selection\\">');
  });
});
