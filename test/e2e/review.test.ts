import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { textAnswer, toolCallAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { inTheme } from './driver/looks.ts';
import { seeing, until } from './driver/until.ts';
import { untilYesCounts } from './untilYesCounts.ts';
import { homeWithModel, it, type WithWorkbench } from './withWorkbench.ts';

const days = (...changed: readonly (readonly [number, string])[]): string =>
  Array.from({ length: 40 }, (_, at) => new Map(changed).get(at + 1) ?? `day ${at + 1}`)
    .map((line) => `${line}\n`)
    .join('');

const before = { 'notes/log.md': days(), 'crew.md': 'Ann\nBob\n', 'old.md': 'gone soon\n' };

/** Two hunks in the log, one in the crew list, and a new file. */
const patch = (folder: string): string => `*** Begin Patch
*** Update File: ${folder}/notes/log.md
@@
 day 3
-day 4
+day 4: wind
 day 5
@@
 day 29
-day 30
+day 30: rain
 day 31
*** Update File: ${folder}/crew.md
@@
 Ann
-Bob
+Ben
*** Add File: ${folder}/plan.md
+Sail home.
*** End Patch`;

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

/** What the model was told of its call. */
const told = (): string => JSON.stringify(server.requests[1]?.body?.messages.at(-1));

/** The new side that has the keyboard. */
const focused = (page: Page): Locator =>
  page.locator('.monaco-diff-editor .modified .monaco-editor.focused').first();

/** The files of each review lie in a folder of its name: the window holds the texts of the review before a while longer. */
async function review(
  withWorkbench: WithWorkbench,
  name: string,
  test: (bench: Workbench) => Promise<void>,
): Promise<void> {
  server.script(
    toolCallAnswer([{ name: 'apply_patch', arguments: { input: patch(name) } }]),
    textAnswer('All ', 'done.'),
  );
  const files = Object.fromEntries(Object.entries(before).map(([path, text]) => [`${name}/${path}`, text]));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench(name, { workspace: { files }, trust: 'trusted', home }, async (bench) => {
    await bench.views.open('Pincer', 'Review');
    await bench.chat.send('Bring the papers up to date');
    await bench.page.locator('.codelens-decoration a').first().waitFor();
    // It is there from now on, and as an earlier test has left it.
    await bench.views.tree('Review').unfold();
    const workspace = join(bench.workspace, name);
    await test({ ...bench, workspace, read: (path) => bench.read(`${name}/${path}`) });
  });
}

it('takes one hunk by mouse and one file by its tick out of three files, and writes exactly the rest', async ({
  withWorkbench,
}) => {
  await review(
    withWorkbench,
    'review-part',
    async ({ chat, editors, notifications, read, screenshot, views }) => {
      const tree = views.tree('Review');
      await tree.row('crew.md').locator.waitFor();
      await screenshot('r-review-opened');
      await expect
        .poll(() => tree.labels())
        .toEqual(['log.md', 'line 4: +1 −1', 'line 30: +1 −1', 'crew.md', 'plan.md']);

      await editors.diff.codeLens('✗ Reject', 2);
      await tree.row('log.md').waitForText('1 of 2 hunks');
      await expect.poll(() => tree.row('line 30: +1 −1').isChecked()).toBe(false);
      await tree.row('plan.md').toggleCheckbox();
      await tree.row('line 4: +1 −1').click();
      await until('the cursor in the diff', async () => (await editors.line()) === 4);
      await notifications.clearAll();
      await screenshot('r-review-partly-rejected');
      for (const [path, text] of Object.entries(before)) expect(await read(path)).toBe(text);

      await editors.diff.codeLens('Apply 2 of 4');
      await chat.waitForAnswer(/All done\..*2 of 4 hunks accepted/su);
      await screenshot('r-review-accepted');
      expect(await read('notes/log.md')).toBe(days([4, 'day 4: wind']));
      expect(await read('crew.md')).toBe('Ann\nBen\n');
      expect(await read('plan.md')).toBeUndefined();
      expect(told()).toContain('hunk 1 of 2 accepted: line 4');
      expect(told()).toContain('hunk 2 of 2 refused');
      expect(told()).toContain('plan.md as it was');
      await editors.waitForClosed(/Proposed edits/u);
    },
  );
});

it('goes from hunk to hunk and file to file by keyboard alone', async ({ withWorkbench }) => {
  await review(withWorkbench, 'review-keyboard', async ({ chat, editors, page, read, views }) => {
    const tree = views.tree('Review');
    await focused(page).waitFor();
    await until('the first hunk', async () => (await editors.line()) === 4);
    await page.keyboard.press('Alt+ArrowDown');
    await until('the second hunk', async () => (await editors.line()) === 30);
    await page.keyboard.press('Alt+ArrowDown');
    await until('the second file', async () => (await editors.line()) === 2);
    await page.keyboard.press('Alt+Backspace');
    await until('the file to be rejected', async () => !(await tree.row('crew.md').isChecked()));
    await page.keyboard.press('Alt+ArrowUp');
    await until('the first file', async () => (await editors.line()) === 30);
    await page.keyboard.press('Shift+Alt+Backspace');
    await tree.row('log.md').waitForText('0 of 2 hunks');
    await page.keyboard.press('Alt+Enter');
    await tree.row('log.md').waitForText('1 of 2 hunks');
    await page.keyboard.press('ControlOrMeta+Enter');
    await chat.waitForAnswer(/2 of 4 hunks accepted/u);
    expect(await read('notes/log.md')).toBe(days([30, 'day 30: rain']));
    expect(await read('crew.md')).toBe('Ann\nBob\n');
    expect(await read('plan.md')).toBe('Sail home.\n');
  });
});

it('decides nothing when its tab closes, and keeps the ticks until it is opened again', async ({
  withWorkbench,
}) => {
  await review(withWorkbench, 'review-closed', async ({ chat, editors, page, read, screenshot, views }) => {
    const tree = views.tree('Review');
    await tree.row('crew.md').toggleCheckbox();
    await chat.waitForText('3 of 4 hunks accepted · Waiting for your answer');
    await editors.close('Proposed edits');
    await editors.waitForClosed(/Proposed edits/u);
    expect(await chat.isRunning()).toBe(true);

    await chat.click('Review 4 hunks');
    await page.locator('.codelens-decoration').getByText('✗ Rejected').waitFor();
    await expect.poll(() => tree.row('crew.md').isChecked()).toBe(false);
    await screenshot('r-review-reopened');

    // The chat was drawn before anything was rejected: its button writes nothing then.
    await seeing(page.locator('.statusbar').getByText('Not written: you accepted 3 of 4 hunks.'), () =>
      chat.click('Accept all'),
    );
    await screenshot('r-rejected-since');
    await chat.click('Apply what is accepted');
    await chat.waitForAnswer(/All done\./u);
    expect(await read('crew.md')).toBe('Ann\nBob\n');
  });
});

it('is a no when nothing is ticked, and leaves every file as it was', async ({ withWorkbench }) => {
  await review(withWorkbench, 'review-nothing', async ({ chat, read, views }) => {
    const tree = views.tree('Review');
    for (const file of ['log.md', 'crew.md', 'plan.md']) {
      await tree.row(file).toggleCheckbox();
      await until(`${file} to be rejected`, async () => !(await tree.row(file).isChecked()));
    }
    await tree.row('log.md').waitForText('0 of 2 hunks');
    await tree.titleAction('Accept Proposed Edits');
    await chat.waitForAnswer(/You denied/u);
    expect(told()).toContain('Denied by user');
    for (const [path, text] of Object.entries(before)) expect(await read(path)).toBe(text);
  });
});

it('sees an unsaved change of a file, and writes the others once that file is rejected', async ({
  withWorkbench,
}) => {
  await review(withWorkbench, 'review-dirty', async ({ chat, editors, page, palette, read, views }) => {
    const tree = views.tree('Review');
    const row = tree.row('crew.md');
    await palette.openFile('crew.md', 'review-dirty/crew.md');
    await editors.waitForActive('crew.md');
    await page.locator('.part.editor .editor-instance .monaco-editor').last().click();
    await page.keyboard.type('Dan ');
    await row.waitForText('changed since');

    await palette.run('Pincer: Focus on Review View');
    await tree.goTo('crew.md');
    await page.keyboard.press('Enter');
    await focused(page).waitFor();
    await page.keyboard.press('Alt+Backspace');
    await until('the file to be rejected', async () => !(await row.isChecked()));
    await page.keyboard.press('ControlOrMeta+Enter');
    await chat.waitForAnswer(/All done\..*3 of 4 hunks accepted/su);
    expect(await read('notes/log.md')).toBe(days([4, 'day 4: wind'], [30, 'day 30: rain']));
    expect(await read('plan.md')).toBe('Sail home.\n');
    await editors.waitForText('Dan ');
    expect(await read('crew.md')).toBe('Ann\nBob\n');
  });
});

it('says so when a file changes while it waits, and then writes none of them', async ({ withWorkbench }) => {
  await review(withWorkbench, 'review-stale', async (bench) => {
    const { chat, editors, page, read, screenshot, views, workspace } = bench;
    const row = views.tree('Review').row('crew.md');
    await writeFile(join(workspace, 'crew.md'), 'Ann\nBob\nEve\n');
    await row.waitForText('changed since');
    await page.locator('.codelens-decoration').getByText('Changed since: reject this file').waitFor();
    await inTheme(bench, 'Dark High Contrast', async () => {
      await screenshot('r-review-stale');
    });

    await untilYesCounts(bench);
    await editors.diff.titleAction('Accept Proposed Edits');
    await chat.waitForAnswer(/All done\./u);
    expect(told()).toContain('crew.md changed');
    expect(await read('crew.md')).toBe('Ann\nBob\nEve\n');
    expect(await read('notes/log.md')).toBe(days());
    expect(await read('plan.md')).toBeUndefined();
  });
});

it('closes the diffs of a patch that only makes files once it is answered', async ({ withWorkbench }) => {
  const added = ['bow.md', 'keel.md'].map((path) => `*** Add File: ${path}\n+${path}\n`).join('');
  const input = `*** Begin Patch\n${added}*** End Patch`;
  server.script(toolCallAnswer([{ name: 'apply_patch', arguments: { input } }]), textAnswer('Made.'));
  const options = { workspace: { files: { 'README.md': '# Boat\n' } }, trust: 'trusted' } as const;
  await withWorkbench('review-new', { ...options, home: homeWithModel(server.baseUrl) }, async (bench) => {
    await bench.chat.send('Make two files');
    await bench.page.locator('.codelens-decoration a').first().waitFor();
    await untilYesCounts(bench);
    await bench.editors.diff.codeLens('Apply');
    await bench.chat.waitForAnswer(/Made\./u);
    expect(await bench.read('keel.md')).toBe('keel.md\n');
    await bench.editors.waitForClosed(/Proposed edits/u);
  });
});
