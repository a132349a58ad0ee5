import { join } from 'node:path';
import { expect } from 'vitest';
import { createChatView } from './driver/chatView.ts';
import { createProblems } from './driver/problems.ts';
import { createSuggestions } from './driver/suggestions.ts';
import { hoverUntil, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

it('completes the user’s own config where it lies in no .pincer folder', async ({
  withWorkbench,
  server,
}) => {
  const home = homeWithModel(server.baseUrl);
  const fresh = 'its config is written';
  await withWorkbench(
    'config-file',
    { workspace: { files: { 'README.md': '# Boat\n' } }, trust: 'trusted', home, fresh },
    async (bench) => {
      const { editors, page, palette, screenshot } = bench;
      await palette.run('Pincer: Open User Config');
      await editors.waitForActive('config.jsonc');
      await page.locator('.editor-group-container.active .view-lines').first().click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText('{\n  "approvals": {\n    \n  }\n}\n');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('End');
      const suggestions = createSuggestions(page);
      await page.keyboard.type('"');
      await suggestions.choose('mode', async () => await screenshot('config-completion-key'));
      await suggestions.choose('ask', async () => await screenshot('config-completion-value'));
      await page.keyboard.press('ControlOrMeta+S');
      const text = async (): Promise<string> =>
        (await page.locator('.editor-group-container.active .view-lines').innerText()).replaceAll(
          '\u00A0',
          ' ',
        );
      await until('the setting', async () => (await text()).includes('"mode": "ask"'));
      expect(await text()).toContain('"approvals"');
    },
  );
});

it('says at its place, in the status bar, in /status and once in each chat that the model of the config is not there', async ({
  withWorkbench,
}) => {
  const home = { 'config.jsonc': '{\n  "agent": {},\n  "model": "nobody/none"\n}\n' };
  await withWorkbench('config-model', { workspace: { files: {} }, trust: 'trusted', home }, async (bench) => {
    const { chat, page, views, screenshot } = bench;
    const told =
      /The config names the model “nobody\/none”, which does not exist\..*Add Model….*Open User Config/su;
    await chat.send('Ahoy');
    await chat.waitForAnswer(told);
    await screenshot('config-model-answer');
    await chat.send('Ahoy again');
    expect(await chat.waitForAnswer(/no AI/u)).not.toMatch(told);
    await views.open('Pincer', 'Chat');
    const view = createChatView(page);
    await view.send('And here?');
    await view.waitForText('note', told);
    await screenshot('config-model-view-answer');
    await chat.send('/status');
    await chat.waitForAnswer('since the config names the model “nobody/none”, which does not exist');
    const problems = createProblems(page);
    await problems.open();
    await problems.row(/there is no model “nobody\/none”.*\[Ln 3, Col 3\]/u).waitFor();
    await hoverUntil(
      page.locator('.statusbar-item[id*="pincer.status"]'),
      page.locator('.monaco-hover').getByText('there is no model “nobody/none”'),
    );
    await screenshot('config-model');
  });
});

it('completes it in a window where nothing of Pincer has been used', async ({ withWorkbench }) => {
  const home = { 'config.jsonc': '{\n  \n}\n' };
  const fresh = 'no other test may have used Pincer in it';
  await withWorkbench('config-cold', { workspace: { files: {} }, home, fresh }, async (bench) => {
    const { editors, page, palette } = bench;
    await palette.openFile('config.jsonc', join(bench.home, 'config.jsonc'));
    await editors.waitForActive('config.jsonc');
    // A chat that is still opening takes the focus once it is there.
    await page.locator('.chat-input-container .monaco-editor').first().waitFor();
    await page.locator('.part.editor .monaco-editor .view-line').nth(1).click();
    await editors.waitForFocus();
    await page.keyboard.type('"');
    await createSuggestions(page).choose('approvals', async () => {
      await bench.screenshot('config-cold');
    });
  });
});
