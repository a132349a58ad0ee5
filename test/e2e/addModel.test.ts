import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect } from 'vitest';
import { startLoopbackServer } from '../builders/createLoopbackNetwork.ts';
import { atSize } from './driver/looks.ts';
import { clickOnce, hoverUntil, until } from './driver/until.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { startKeyedModelServer, type KeyedModelServer } from './keyedModelServer.ts';
import { it } from './withWorkbench.ts';

const workspace = { files: { 'README.md': '# Boat\n' } };
const models = ['anchor-1', 'boom-2', 'cleat-3'];
/** Their names come first, yet nobody can talk to them. */
const notForChat = ['all-minilm', 'bge-reranker'];

let server: KeyedModelServer;
beforeEach(async () => {
  server = await startKeyedModelServer('sk-right-key', [...notForChat, ...models], 'Aye.');
});
afterEach(() => server.close());

const dialog = ({ page }: Workbench) => page.locator('.quick-input-widget');

async function waitForTitle(bench: Workbench, title: string): Promise<void> {
  await dialog(bench).locator('.quick-input-title').getByText(title).waitFor();
}

/** A port on which somebody has just stopped listening. */
async function closedPort(): Promise<number> {
  const { port, close } = await startLoopbackServer(() => undefined);
  await close();
  return port;
}

const configText = async ({ home }: Workbench): Promise<string> =>
  await readFile(join(home, 'config.jsonc'), 'utf8').catch(() => '');

it('adds a model step by step: an address where nobody listens, a wrong key, Back, the list, the default', async ({
  withWorkbench,
}) => {
  await withWorkbench('add-model', { workspace, trust: 'trusted' }, async (bench) => {
    const { palette, page, notifications, chat, screenshot } = bench;
    const message = dialog(bench).locator('.quick-input-message');
    await chat.send('list');
    await chat.waitForAnswer(/README\.md/u);
    await expect.poll(() => bench.statusText()).toContain('Pincer built-in');
    await palette.run('Pincer: Add Model…');
    await waitForTitle(bench, 'Add model: provider');
    await screenshot('add-model-providers');
    await palette.pick('Another OpenAI-compatible server…');
    await waitForTitle(bench, 'Add model: address');

    const closed = await closedPort();
    await palette.enter(`http://127.0.0.1:${closed}/v1`);
    await message.getByText('nothing listens at that address').waitFor();
    await screenshot('add-model-no-server');

    await palette.enter(server.baseUrl);
    await waitForTitle(bench, 'Add model: key of 127.0.0.1');
    await palette.enter('sk-wrong-key');
    await message.getByText('did not accept the API key').waitFor();
    expect(await message.innerText()).not.toContain('sk-wrong-key');
    await screenshot('add-model-wrong-key');

    await clickOnce(dialog(bench).getByRole('button', { name: 'Back' }));
    await waitForTitle(bench, 'Add model: address');
    // As people write it: no scheme and no path.
    await palette.enter(new URL(server.baseUrl).host);
    await waitForTitle(bench, 'Add model: key of 127.0.0.1');
    await palette.enter('sk-right-key');
    await waitForTitle(bench, 'Add model: model of 127.0.0.1');
    await expect
      .poll(() => palette.entries())
      .toEqual(
        [...models, 'Another model…', ...notForChat].map((each) => expect.stringContaining(each) as unknown),
      );
    await dialog(bench)
      .locator('.monaco-list-row.focused .label-name')
      .getByText('anchor-1', { exact: true })
      .waitFor();
    await screenshot('add-model-list');
    expect(await configText(bench)).toBe('');

    await page.locator('.quick-input-widget input.input:focus').waitFor();
    await page.keyboard.type('boom');
    await until('the list to be filtered', async () => (await palette.entries()).length === 2);
    await palette.pick('boom-2');
    await notifications.waitFor('is ready: your next message goes to it.');
    expect(await notifications.buttons('is ready: your next')).toEqual(['Open Chat', 'Edit Price…']);
    // The status bar and its hover name it at once, and not with the next message.
    await expect.poll(() => bench.statusText()).toMatch(/· boom-2/u);
    await hoverUntil(
      page.locator('.statusbar-item[id*="pincer.status"]'),
      page.locator('.monaco-hover').getByText('/boom-2)'),
    );
    await screenshot('add-model-done');
    await page.mouse.move(0, 0);
    const config = await configText(bench);
    expect(config).toContain('/boom-2');
    expect(config).toContain('"contextWindow": 64000');
    expect(config).not.toContain('sk-');
    await chat.send('Is the boom up?');
    await chat.waitForAnswer(/Aye\./u);
    await chat.send('/status');
    await chat.waitForAnswer(/cost unknown/u);

    await notifications.click('is ready: your next', 'Edit Price…');
    await waitForTitle(bench, 'Price of boom-2: input (1 of 3)');
    await palette.enter('a lot');
    await message.getByText('Enter a number of US dollars').waitFor();
    await screenshot('edit-price-wrong');
    await palette.enter('2.50');
    await waitForTitle(bench, 'Price of boom-2: output (2 of 3)');
    await palette.enter('10');
    await waitForTitle(bench, 'Price of boom-2: cached input (3 of 3)');
    await screenshot('edit-price');
    await page.keyboard.press('Enter');
    await notifications.waitFor('boom-2: $2.5 in, $10 out per million tokens.');
    expect(await configText(bench)).toContain('"cost"');
    await chat.send('/status');
    await chat.waitForAnswer(/Whole session: .* out(?: \(estimated\))?, \$0\.\d+/u);
    await screenshot('edit-price-status');
  });
});

it('adds several at once, and leaves nothing behind where the user leaves', async ({ withWorkbench }) => {
  await withWorkbench('add-models', { workspace, trust: 'trusted' }, async (bench) => {
    const { palette, page, notifications, screenshot } = bench;
    await atSize(page, { width: 520, height: 720 }, async () => {
      const openList = async (): Promise<void> => {
        await palette.run('Pincer: Add Model…');
        await palette.pick('Another OpenAI-compatible server…');
        await waitForTitle(bench, 'Add model: address');
        await palette.enter(server.baseUrl);
        await waitForTitle(bench, 'Add model: key of 127.0.0.1');
        await palette.enter('sk-right-key');
        await waitForTitle(bench, 'Add model: model of 127.0.0.1');
      };
      await openList();
      await page.keyboard.press('Escape');
      await dialog(bench).waitFor({ state: 'hidden' });
      expect(await configText(bench)).toBe('');

      await openList();
      await clickOnce(dialog(bench).getByRole('button', { name: 'Choose several' }));
      await dialog(bench).getByPlaceholder('Select models').waitFor();
      await palette.pick('cleat-3');
      await palette.pick('anchor-1');
      await screenshot('add-models-narrow');
      await page.keyboard.press('Enter');
      await notifications.waitFor('/cleat-3 is ready: your next message goes to it.');
      const config = JSON.parse(await configText(bench)) as {
        models: { providers: Record<string, { models: { id: string }[] }> };
      };
      const added = Object.values(config.models.providers).flatMap((each) => each.models.map(({ id }) => id));
      expect(added).toEqual(['cleat-3', 'anchor-1']);
    });
  });
});

it('looks for local servers when asked, and says what to do where there is none', async ({
  withWorkbench,
}) => {
  await withWorkbench('add-model-local', { workspace, trust: 'trusted' }, async (bench) => {
    const { palette, screenshot } = bench;
    await palette.run('Pincer: Add Model…');
    await palette.pick('Find local servers…');
    await waitForTitle(bench, 'Add model: local servers');
    // What runs on the machine of the test is its own business.
    await until('the search to end', async () => (await palette.entries()).length > 0);
    await screenshot('add-model-local');
    await clickOnce(dialog(bench).getByRole('button', { name: 'Back' }));
    await waitForTitle(bench, 'Add model: provider');
  });
});
