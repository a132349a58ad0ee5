import { expect } from 'vitest';
import { hangingAnswer } from '../builders/scriptedModelServer.ts';
import { answerDialog } from './driver/dialogs.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const plugin = (id: string, code: string): Readonly<Record<string, string>> => ({
  [`.pincer/plugins/${id}/openclaw.plugin.json`]: JSON.stringify({
    id,
    version: '1.0.0',
    configSchema: { type: 'object' },
  }),
  [`.pincer/plugins/${id}/index.js`]: `module.exports = { id: '${id}', register(api) { ${code} } };\n`,
});

const files = {
  'README.md': '# Hi\n',
  ...plugin(
    'sorter',
    `api.on('before_tool_call', ({ toolName, params }) => toolName === 'write' ? { params: { ...params, path: 'archive/' + params.path } } : undefined, { priority: 10 });`,
  ),
  ...plugin(
    'archive-guard',
    `api.on('before_tool_call', ({ params }) => params.path.startsWith('archive/') ? { block: true, blockReason: 'the archive is closed' } : undefined);`,
  ),
};

it('shows who changed and who stopped a call, from the answer on, and tells the plugins apart', async ({
  withWorkbench,
}) => {
  await withWorkbench('last-run', { workspace: { files }, trust: 'trusted' }, async (bench) => {
    const { chat, views, page, screenshot } = bench;
    const tree = views.tree('Plugins');
    await views.open('Pincer', 'Plugins');
    for (const id of ['sorter', 'archive-guard']) {
      await tree.row(id).action('Enable Plugin');
      await answerDialog(page, 'Enable');
      await tree.row(id).waitForText(/· on$|^on$/u);
    }
    await chat.send('write old.md: anything');
    await chat.waitForAnswer(/the archive is closed/u);
    await chat.click('Show the run');
    const frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    const lines = frame.locator('#lines');
    await lines.getByText('blocked by archive-guard').first().waitFor();
    await lines.getByText('old.md → archive/old.md').first().waitFor();
    await screenshot('last-run');
    await frame.getByLabel('Plugin', { exact: true }).selectOption('sorter');
    await lines.getByText('blocked by archive-guard').first().waitFor({ state: 'detached' });
    await lines.getByText('old.md → archive/old.md').first().waitFor();
    await frame.getByLabel('Plugin', { exact: true }).selectOption({ label: 'All' });
    // The view follows: another message, and it shows that run.
    await chat.send('read README.md');
    await chat.waitForAnswer(/Hi/u);
    await lines.getByText('Tool call: read').first().waitFor();
    await screenshot('last-run-follows');
  });
});

it('can be closed while it follows a run that goes on', async ({ withWorkbench, server }) => {
  server.script(hangingAnswer('The tide '));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench(
    'last-run-closed',
    { workspace: { files: {} }, trust: 'trusted', home },
    async (bench) => {
      const { chat, editors, notifications, palette } = bench;
      await chat.send('When does the tide turn?');
      await chat.waitForText('The tide');
      for (let time = 0; time < 8; time += 1) {
        await palette.run('Pincer: Show Last Run');
        await editors.waitForActive('Last Run');
        await editors.close('Last Run');
        await editors.waitForClosed('Last Run');
      }
      expect(await notifications.texts()).toEqual([]);
      await chat.cancel();
    },
  );
});
