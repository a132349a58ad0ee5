import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
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
      const answer = await chat.waitForAnswer(/denied by "write"/u);
      expect(answer).toContain('tools (workspace config): denies it by "write"');
      await screenshot('tools-explained');

      await writeFile(join(workspace, '.pincer/config.jsonc'), '{}');
      await palette.run('Pincer: Reload All Plugins');
      await tree.row('write').waitForText(/Write/u);
      await screenshot('tools-allowed-again');
    },
  );
});
