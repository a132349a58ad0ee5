import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { atSize } from './driver/looks.ts';
import { createChatView } from './driver/chatView.ts';
import { clickOnce, clickUntil, until } from './driver/until.ts';
import { it } from './withWorkbench.ts';

it('answers a question about the workspace signed out, with a link that opens the file at the line', async ({
  withWorkbench,
}) => {
  await withWorkbench(
    'built-in-answer',
    { workspace: { copyOf: 'examples/workspace' }, trust: 'trusted' },
    async ({ chat, editors, page, screenshot }) => {
      await chat.send('Why are times on disk in UTC?');
      await chat.waitForAnswer(/two 02:30 in October/u, /no AI/u);
      await screenshot('a-built-in-answer');

      await chat.click('decisions.md');
      await editors.waitForActive('decisions.md');
      await editors.waitForText('UTC on disk');
      await expect.poll(() => editors.line()).toBe(10);
      await screenshot('a-file-link-opened');

      // A passage with the same words would be no answer to this.
      await chat.send('Add a line about UTC to the README');
      const refusal = await chat.waitForAnswer(/I can't make this change/u, /write notes\.md: some text/u);
      expect(refusal).not.toContain('02:30');
      await screenshot('a-change-without-a-model');

      await chat.click('Add a model');
      await page.locator('.quick-input-widget').getByText('Add model: provider').waitFor();
      await page.keyboard.press('Escape');
    },
  );
});

it('opens the chat by itself in the first window, once, and leads a newcomer from the view through five steps', async ({
  withWorkbench,
}) => {
  const options = {
    workspace: { copyOf: 'examples/workspace' },
    trust: 'trusted',
    fresh: 'no session at first',
    leaves: 'the chat was opened for the first time',
  } as const;
  await withWorkbench('first-contact', options, async (bench) => {
    const { chat, page, palette, screenshot, settingsFile, views } = bench;
    const settings = JSON.parse(await readFile(settingsFile, 'utf8')) as Record<string, unknown>;
    const input = page.locator('.interactive-session .chat-input-container .monaco-editor').first();
    await writeFile(settingsFile, JSON.stringify({ ...settings, 'pincer.chat.openOnFirstStart': true }));
    await bench.reload('at once');
    await until('the chat with @pincer typed', () => chat.isNew());
    await screenshot('first-contact');

    const welcome = page
      .locator('.pane')
      .filter({ hasText: 'No session yet' })
      .locator('.welcome-view-content');
    await views.open('Pincer', 'Sessions');
    await welcome.getByText('Add Model…').waitFor();
    await clickOnce(welcome.getByText('What does this project do?'));
    const view = createChatView(page);
    await until('the words in the input of the Chat view', async () =>
      (await view.input().inputValue()).includes('What does this project do?'),
    );
    await view.input().press('Enter');
    await view.waitForAnswer(/prints the next high and low water/u);
    await screenshot('first-contact-answer');

    // The key types no second message over one that is there, and brings the name back where it was deleted.
    await input.click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('a draft');
    await page.keyboard.press('Control+Alt+P');
    await input.getByText('a draft').waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+Alt+P');
    await until('the chat to name @pincer again', async () => (await input.innerText()).includes('@pincer'));

    await palette.run('Pincer: Get Started');
    const steps = page.locator('.gettingStartedContainer .step-list-container .getting-started-step');
    await expect.poll(() => steps.count()).toBe(5);
    const isDone = (title: string) =>
      steps.filter({ hasText: title }).locator('.codicon.complete').isVisible();
    // It was answered in the Chat view above.
    await until('the first step to be done', () => isDone('Ask something'));
    for (const title of ['Add a model', 'Let it edit', 'Review', 'Extend and guard it with plugins'])
      expect(await isDone(title)).toBe(false);
    // Whichever way it is done counts: here by the answer in VS Code's chat. A view that stands open is nothing that was done.
    await chat.send('write notes.md: first note');
    await chat.waitForText(/Allow once/u);
    await chat.decide('Allow once');
    await chat.waitForAnswer(/notes\.md/u);
    await views.open('Pincer', 'Plugins');
    await palette.run('Pincer: Get Started');
    for (const title of ['Let it edit', 'Review'])
      await until(`the step ${title} to be done`, () => isDone(title));
    expect(await isDone('Extend and guard it with plugins')).toBe(false);
    const show = steps.getByRole('button', { name: 'Show Plugins' });
    await clickUntil(steps.filter({ hasText: 'Extend and guard it with plugins' }), () => show.isVisible());
    await clickOnce(show);
    await until('the last step to be done', () => isDone('Extend and guard it with plugins'));
    await palette.run('Pincer: Get Started');
    // Where there is room, VS Code shows the picture beside the steps.
    await atSize(page, { width: 2000, height: 900 }, async () => {
      const picture = page.locator('.gettingStartedContainer .getting-started-media img');
      const widthOf = (image: { readonly naturalWidth: number }): number => image.naturalWidth;
      await until('the picture', async () => (await picture.evaluate(widthOf)) > 0);
      await screenshot('first-contact-walkthrough');
    });

    await palette.run('Pincer: Open Documentation');
    const documentation = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    // The page does not listen until all of it is loaded.
    const active = page.locator('.part.editor .tab.active').filter({ hasText: 'models.md' });
    await clickUntil(documentation.getByRole('link', { name: 'models.md' }), () => active.isVisible());
    await documentation.getByRole('heading', { name: 'Models' }).first().waitFor();
    await screenshot('first-contact-docs');

    // The next window on this machine, of another folder.
    await page.goto(`${page.url()}/docs`);
    await views.open('Pincer', 'Sessions');
    await welcome.getByText('Add Model…').waitFor();
    await input.waitFor();
    expect(await input.innerText()).not.toContain('@pincer');
    await writeFile(settingsFile, JSON.stringify(settings));
  });
});
