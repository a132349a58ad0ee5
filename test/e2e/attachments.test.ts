import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { textAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { it } from './withWorkbench.ts';

/** One transparent pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const workspace = {
  files: {
    'log.md': 'one\ntwo\nthree\nfour\n',
    'plan.md': 'sail south\n',
    'charts/brest.md': 'rocks\n',
    'broken.png': 'no image at all',
  },
};

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
  server.answerAll(() => textAnswer('I have read it.'));
});

const home = (): Readonly<Record<string, string>> => {
  const models = [{ id: 'scripted', name: 'Scripted', imageInput: true }];
  const providers = { loopback: { api: 'openai-compatible', baseUrl: server.baseUrl, models } };
  return { 'config.jsonc': JSON.stringify({ model: 'loopback/scripted', models: { providers } }) };
};

/** The content of the last message that the model was sent. */
const sent = (): string => JSON.stringify(server.requests.at(-1)?.body?.messages.at(-1)?.content);

const input = ({ page }: Workbench) =>
  page.locator('.interactive-session .chat-input-container .monaco-editor').first();
const untilAttached = ({ page }: Workbench, name: string): Promise<void> =>
  page
    .locator('.interactive-session .chat-attached-context-attachment:not(.implicit)')
    .filter({ hasText: name })
    .first()
    .waitFor();

/** Types `#` and a part of a file's name, and takes what the panel suggests. */
async function typeFile({ page }: Workbench, name: string): Promise<void> {
  await page.keyboard.type(` #${name.slice(0, -3)}`);
  await page.locator('.suggest-widget .monaco-list-row.focused').filter({ hasText: name }).waitFor();
  await page.keyboard.press('Tab');
  // An editor keeps a list of its own, hidden.
  await page.locator('.suggest-widget.visible').waitFor({ state: 'hidden' });
}

it('files, a folder, a selection and images reach the model, and what can not is told', async ({
  withWorkbench,
}) => {
  await withWorkbench('attachments', { workspace, trust: 'trusted', home: home() }, async (bench) => {
    const { chat, editors, page, palette, screenshot, views } = bench;
    await writeFile(join(bench.workspace, 'anchor.png'), Buffer.from(pixel, 'base64'));
    const explorer = views.tree('workspace');
    // Its row moves the others; a click in that moment is for another one.
    await explorer.row('anchor.png').locator.waitFor();
    await explorer.row('plan.md').click();
    await editors.waitForActive('plan.md');
    await page.locator('.part.editor .view-line').getByText('sail south').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and then west');
    await explorer.row('charts').menu('Add Folder to Chat');
    await untilAttached(bench, 'charts');
    await explorer.row('log.md').click();
    await editors.waitForActive('log.md');
    await page.locator('.part.editor .view-line').getByText('two').click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await palette.run('Chat: Add Selection to Chat');
    await untilAttached(bench, 'log.md');

    await input(bench).click({ position: { x: 8, y: 8 } });
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('@pincer Look at');
    for (const name of ['plan.md', 'anchor.png', 'broken.png']) await typeFile(bench, name);
    await screenshot('a-attached');
    await page.keyboard.press('Enter');
    await chat.waitForText('I have read it');
    await chat.waitForAnswer(
      /I have read it/u,
      'broken.png is not attached: it is not a PNG, JPEG, GIF or WebP image.',
    );
    await screenshot('a-answer');
    expect(sent()).toContain('Look at');
    expect(sent()).toContain('sail south and then west');
    expect(sent()).toContain('brest.md');
    expect(sent().split('2: two')).toHaveLength(2);
    expect(sent()).toContain('3: three');
    expect(sent()).not.toContain('4: four');
    expect(sent()).toContain(pixel);
  });
});
