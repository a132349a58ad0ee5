import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { textAnswer } from '../builders/scriptedModelServer.ts';
import { it } from './withWorkbench.ts';

it('lists tools and hidden ones with the layer that hides each, and the chat explains one', async ({
  withWorkbench,
}) => {
  await withWorkbench(
    'tools-view',
    {
      workspace: {
        files: { 'README.md': '# Hi\n', '.pincer/config.jsonc': '{ "tools": { "deny": ["write"] } }' },
      },
      home: { 'config.jsonc': '{ "tools": { "deny": ["gr*"] } }' },
      trust: 'trusted',
    },
    async (bench) => {
      const { chat, palette, views, screenshot, workspace } = bench;
      await views.open('Pincer', 'Tools');
      const tree = views.tree('Tools');
      await tree.row('read').locator.waitFor();
      expect(await tree.labels()).not.toContain('grep');
      await tree.row('Hidden').expand();
      await tree.row('grep').waitForText('tools (user config)');
      await tree.row('write').waitForText('tools (workspace config)');
      await screenshot('tools-view');

      await tree.row('write').action('Explain Tool…');
      await chat.waitForAnswer(/denied by "write"/u, 'tools (workspace config): denies it by "write"');
      await screenshot('tools-explained');

      await writeFile(join(workspace, '.pincer/config.jsonc'), '{}');
      await palette.run('Pincer: Reload All Plugins');
      await tree.row('write').waitForText(/Write/u);
      await screenshot('tools-allowed-again');
    },
  );
});

it('says of a command while it is typed what would happen to it, and runs nothing', async ({
  withWorkbench,
}) => {
  const home = { 'config.jsonc': '{ "tools": { "exec": { "deny": ["rm **"] } } }' };
  await withWorkbench(
    'try-command',
    { workspace: { files: { 'a.md': 'one\n' } }, home, trust: 'trusted' },
    async (bench) => {
      const { palette, page, screenshot, read } = bench;
      const box = page.locator('.quick-input-widget');
      await palette.run('Pincer: Try Command…');
      await box.getByText('Nothing is run.').waitFor();
      await box.locator('input.input').fill('wc -l a.md');
      await box.getByText(/Runs without a question/u).waitFor();
      await screenshot('try-command-allowed');
      await box.locator('input.input').fill('npm publish');
      await box.getByText(/Asks first/u).waitFor();
      await screenshot('try-command-asks');
      await box.locator('input.input').fill('rm a.md');
      await box.getByText(/Is refused/u).waitFor();
      await page.keyboard.press('Enter');
      await box.getByText(/Is refused/u).waitFor();
      await screenshot('try-command-refused');
      await page.keyboard.press('Escape');
      expect(await read('a.md')).toBe('one\n');
    },
  );
});

it('calls a tool itself with /tool, whatever model answers else, and that model reads the result', async ({
  withWorkbench,
  server,
}) => {
  const { baseUrl } = server;
  const models = [{ id: 'scripted', name: 'No tools', toolCalling: false }];
  const providers = { loopback: { api: 'openai-compatible', baseUrl, models } };
  const home = { 'config.jsonc': JSON.stringify({ model: 'loopback/scripted', models: { providers } }) };
  const options = { workspace: { files: { 'log.md': 'day one\n' } }, home, trust: 'trusted' } as const;
  await withWorkbench('tool-command', options, async ({ chat, editors, screenshot }) => {
    await chat.send('/tool read {"path": "log.md"}');
    await chat.waitForAnswer(/day one/u);
    await screenshot('tool-command');
    await chat.send('/tool raed {}');
    expect(await chat.waitForAnswer(/There are: read/u)).not.toContain('Add a model');
    expect(server.requests).toHaveLength(0);

    server.script(textAnswer('Day one: `lo', 'g.md:1`, not `none.md` or `../log.md`.'));
    await chat.send('What did it say?');
    await chat.waitForAnswer(/Day one/u, 'not none.md or ../log.md.');
    await expect.poll(() => chat.answer().locator('.chat-inline-anchor-widget').count()).toBe(1);
    await screenshot('paths-as-links');
    await chat.click('log.md');
    await editors.waitForActive('log.md');
    expect(JSON.stringify(server.requests[0]?.body?.messages)).toContain('day one');
  });
});
