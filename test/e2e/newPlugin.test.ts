import { expect } from 'vitest';
import { answerDialog } from './driver/dialogs.ts';
import { createProblems } from './driver/problems.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { it } from './withWorkbench.ts';

/** The plugin's code with one tool; the tool's name tells in the tree that this version runs. */
const withTool = (
  name: string,
  answer: string,
  end = '',
): string => `import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';

export default {
  id: 'my-tool',
  register(api: OpenClawPluginApi): void {
    api.registerTool({
      name: '${name}',
      description: 'Says something.',
      parameters: { type: 'object', properties: {} },
      execute: async () => ({ content: [{ type: 'text', text: '${answer}' }] }),
    });
  },
};
${end}`;

/** Puts new text into the active editor and saves it, by the keyboard. */
async function rewrite({ page, editors }: Workbench, title: string, text: string): Promise<void> {
  await editors.waitForActive(title);
  await page.locator('.editor-group-container.active .monaco-editor .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
  await page.keyboard.press('ControlOrMeta+S');
}

it('scaffolds a plugin, enables it, takes over what is edited, names what is broken, and goes on once it is mended', async ({
  withWorkbench,
}) => {
  await withWorkbench(
    'new-plugin',
    { workspace: { files: { 'README.md': '# Hi\n' } }, trust: 'trusted' },
    async (bench) => {
      const { chat, views, page, palette, notifications, editors, screenshot } = bench;
      const tree = views.tree('Plugins');
      const problems = createProblems(page);
      const row = tree.row('my-tool');
      await views.open('Pincer', 'Plugins');
      await tree.row('Write your first plugin').locator.waitFor();
      await screenshot('new-plugin-start');
      await palette.run('Pincer: New Plugin…');
      await palette.pick('This workspace');
      await palette.pick('A tool that the model can call');
      await page.locator('.quick-input-widget').getByText('Its id').waitFor();
      await screenshot('new-plugin-id');
      await page.keyboard.press('Enter');
      await editors.waitForActive('index.ts');
      await notifications.waitFor('my-tool');
      await screenshot('new-plugin-ready');
      // Whatever way it is enabled, it is the user's own: developing.
      await notifications.clearAll();
      await row.action('Enable Plugin');
      await answerDialog(page, 'Enable');
      await row.waitForText(/· on/u);
      await chat.send('/tool my_tool {"text":"one two three"}');
      await chat.waitForAnswer(/3/u);
      await screenshot('new-plugin-runs');

      await row.waitForText('developing');
      await row.expand();
      await tree.row('Tools').expand();

      await rewrite(bench, 'index.ts', withTool('keel', 'the keel is lead'));
      await tree.row('keel').locator.waitFor();
      await chat.send('/tool keel {}');
      await chat.waitForAnswer(/the keel is lead/u);

      await rewrite(bench, 'index.ts', withTool('never', 'never', 'const = ;\n'));
      await row.waitForText('the previous version still runs');
      await problems.open();
      // The place of the `=` that can't stand there; the editor has indented its line.
      await problems.row(/plugin_load_failed.*\[Ln 14, Col (?!1\])/u).waitFor();
      await tree.rowWith(/^failed to load plugin/u).locator.waitFor();
      await screenshot('new-plugin-broken');
      await problems.fix(/plugin_load_failed/u, 'Reload my-tool');
      await chat.send('/tool keel {}');
      await chat.waitForAnswer(/the keel is lead/u);

      await rewrite(bench, 'index.ts', withTool('mended', 'good as new'));
      await tree.row('mended').locator.waitFor();
      await problems.row(/plugin_load_failed/u).waitFor({ state: 'detached' });
      await chat.send('/tool mended {}');
      await chat.waitForAnswer(/good as new/u);
      await screenshot('new-plugin-mended');

      // What the agent writes is no save by the user's hand.
      await chat.send('write .pincer/plugins/my-tool/index.ts: // by the agent');
      await chat.waitForText('Write .pincer/plugins/my-tool/index.ts');
      await chat.decide('Allow once');
      await chat.waitForAnswer();
      await row.waitForText('files have changed; the version you allowed still runs');
      await chat.send('/tool mended {}');
      await chat.waitForAnswer(/good as new/u);
      await row.action('Allow Changed Plugin…');
      await page.locator('.monaco-dialog-box').getByText('Changed since you enabled it: index.ts').waitFor();
      await screenshot('new-plugin-changed-by-agent');
    },
  );
});

it('develops a plugin of the home folder: it runs as it is saved, and Problems says what the view says', async ({
  withWorkbench,
}) => {
  const leaves = 'a plugin in the home folder';
  await withWorkbench(
    'home-plugin',
    { workspace: { files: {} }, trust: 'trusted', leaves },
    async (bench) => {
      const { page, palette, views, editors, screenshot } = bench;
      const tree = views.tree('Plugins');
      const problems = createProblems(page);
      const row = tree.row('my-tool');
      await views.open('Pincer', 'Plugins');
      await palette.run('Pincer: New Plugin…');
      await palette.pick('Your home folder');
      await palette.pick('A tool that the model can call');
      await page.locator('.quick-input-widget').getByText('Its id').waitFor();
      await page.keyboard.press('Enter');
      await editors.waitForActive('index.ts');
      await row.waitForText('on · developing');
      await row.expand();
      await tree.row('Tools').expand();
      await screenshot('home-plugin');

      // No message is sent: a save alone has it shown.
      await rewrite(bench, 'index.ts', withTool('keel', 'the keel is lead'));
      await tree.row('keel').locator.waitFor();
      await rewrite(bench, 'index.ts', withTool('never', 'never', 'const = ;\n'));
      await row.waitForText('the previous version still runs');
      await problems.open();
      await problems.row(/plugin_load_failed.*\[Ln 14, Col (?!1\])/u).waitFor();
      await screenshot('home-plugin-broken');
      // A double click opens the place twice, and the second time takes the selection from whoever types by then.
      await problems.row(/plugin_load_failed/u).click();
      await editors.waitForActive('index.ts');
      await expect.poll(() => editors.line()).toBe(14);
      await rewrite(bench, 'index.ts', withTool('mended', 'good as new'));
      await tree.row('mended').locator.waitFor();
      await problems.row(/plugin_load_failed/u).waitFor({ state: 'detached' });
      await row.menu('Stop Developing This Plugin');
      await row.waitForText(/· on$/u);
    },
  );
});
