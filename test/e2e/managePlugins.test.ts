import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { textAnswer } from '../builders/scriptedModelServer.ts';
import { createChatView } from './driver/chatView.ts';
import { answerDialog } from './driver/dialogs.ts';
import { createForm } from './driver/form.ts';
import { createProblems } from './driver/problems.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const manifest = (id: string, more: Readonly<Record<string, unknown>> = {}): string =>
  `${JSON.stringify({ id, name: id, version: '1.0.0', configSchema: { type: 'object' }, ...more }, null, 2)}\n`;

/** A tool that greets, as its settings say; a listener that needs the user's word; an order to be seen. */
const greeter = {
  '.pincer/plugins/greeter/openclaw.plugin.json': manifest('greeter', {
    description: 'Greets people.',
    configSchema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        greeting: { type: 'string', default: 'Hello', minLength: 2, description: 'What is said first.' },
        times: { type: 'integer', minimum: 1, maximum: 5, default: 1 },
        loud: { type: 'boolean', default: false, description: 'In capital letters.' },
        tone: { type: 'string', enum: ['warm', 'dry'] },
        names: { type: 'array', items: { type: 'string' } },
        server: {
          type: 'object',
          properties: { key: { type: 'string' }, url: { type: 'string' } },
        },
        rules: { type: 'array', items: { type: 'object' } },
      },
    },
    uiHints: {
      greeting: { label: 'Greeting', placeholder: 'Good morning' },
      loud: { label: 'Loud' },
      'server.key': { label: 'API key', sensitive: true },
      rules: { label: 'Rules', advanced: true },
    },
  }),
  '.pincer/plugins/greeter/index.ts': `
export default {
  id: 'greeter',
  register(api: any) {
    const { greeting, times, loud } = api.pluginConfig;
    api.registerTool({
      name: 'greet',
      description: 'Greets.',
      parameters: { type: 'object', properties: {} },
      execute: async () => {
        const text = Array.from({ length: times }, () => greeting).join(' ');
        return { content: [{ type: 'text', text: (loud ? text.toUpperCase() : text) + ', Ada!' }] };
      },
    });
    api.registerCommand({ name: 'hail', description: 'Hails.', handler: () => ({ text: 'Ahoy!' }) });
    api.on('before_tool_call', () => undefined, { priority: 50 });
    api.on('agent_end', () => undefined);
    api.on('llm_input', () => undefined);
  },
};
`,
};

it('shows what a plugin brought and asks for, and changes its settings by a form', async ({
  withWorkbench,
}) => {
  await withWorkbench(
    'manage-form',
    { workspace: { files: { 'README.md': '# Hi\n', ...greeter } }, trust: 'trusted' },
    async (bench) => {
      const { chat, views, page, screenshot } = bench;
      const tree = views.tree('Plugins');
      const form = createForm(page);
      await views.open('Pincer', 'Plugins');
      await tree.row('Workspace').waitForText('1');
      await tree.row('greeter').action('Enable Plugin');
      await answerDialog(page, 'Enable');
      await tree.row('greeter').waitForText(/· on$/u);
      await tree.row('greeter').expand();
      await tree.row('Hooks').expand();
      await tree.row('before_tool_call').waitForText('priority 50');
      await screenshot('manage-tree');
      await chat.send('/tool greet {}');
      await chat.waitForAnswer(/Hello, Ada!/u);

      await tree.row('greeter').action('Configure Plugin…');
      await form.field('Greeting').waitFor();
      await screenshot('manage-form-new');
      await form.field('Greeting').fill('x');
      await form.problem('Greeting').getByText('At least 2 characters.').waitFor();
      await form.field('times').fill('9');
      await form.problem('times').getByText('At most 5.').waitFor();
      await screenshot('manage-form-problems');
      await form.field('Greeting').fill('Ahoy');
      await form.field('times').fill('2');
      await form.field('Loud').check();
      await form.field('API key').fill('sk-very-secret');
      await form.button('Save').click();
      await form.verdict().getByText('Saved. The plugin runs with these settings.').waitFor();
      await expect.poll(() => form.field('API key').getAttribute('placeholder')).toMatch(/^Stored/u);
      await tree.row('Configuration').waitForText('4 values set');
      await screenshot('manage-form-saved');
      const config = await readFile(join(bench.home, 'config.jsonc'), 'utf8');
      expect(config).toContain('plugin.greeter.server.key');
      expect(config).not.toContain('sk-very-secret');
      await chat.send('/tool greet {}');
      await chat.waitForAnswer(/AHOY AHOY, Ada!/u);

      await tree.row('greeter').menu('Forget Consent…');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText('Forget that you allowed greeter?').waitFor();
      await screenshot('manage-forget-consent');
      await answerDialog(page, 'Forget');
      await tree.row('greeter').waitForText('disabled by default');
    },
  );
});

it('goes on with a turn of the agent where the command of a plugin wants that, in both chats', async ({
  withWorkbench,
  server,
}) => {
  const home = {
    ...homeWithModel(server.baseUrl),
    'plugins/fixer/openclaw.plugin.json': manifest('fixer'),
    'plugins/fixer/index.js': `module.exports = (api) => api.registerCommand({ name: 'fix', description: 'Asks for a fix.',
      acceptsArgs: true, handler: ({ args }) => ({ text: 'Looking at ' + args + '.', continueAgent: true }) });`,
  };
  server.script(textAnswer('The typos are gone.'), textAnswer('The links are whole.'));
  await withWorkbench(
    'command-continues',
    { workspace: { files: { 'README.md': '# Hi\n' } }, trust: 'trusted', home },
    async ({ chat, page, views, screenshot }) => {
      await chat.send('/fix typos');
      await chat.waitForAnswer(/Looking at typos\.\s*The typos are gone\./u);
      await screenshot('command-continues-panel');
      await views.open('Pincer', 'Chat');
      const view = createChatView(page);
      await view.send('/fix links');
      await view.frame.getByText('The links are whole.').waitFor();
      await view.frame.getByText('Looking at links.').waitFor();
      await screenshot('command-continues-view');
      const asked = server.requests.map(({ body }) => JSON.stringify(body?.messages));
      expect(asked[0]).toContain('/fix typos');
      expect(asked[1]).toContain('/fix links');
    },
  );
});

it('lets a plugin read conversations from its problem, in the tree and in the Problems panel, after saying what that means', async ({
  withWorkbench,
}) => {
  await withWorkbench(
    'manage-fix',
    { workspace: { files: { 'README.md': '# Hi\n', ...greeter } }, trust: 'trusted' },
    async (bench) => {
      const { palette, views, page, screenshot } = bench;
      const tree = views.tree('Plugins');
      const problems = createProblems(page);
      // The first JSON file of a window starts VS Code's extension for JSON, and fixes that are asked for meanwhile are dropped.
      await palette.openFile('openclaw.plugin.json');
      await page.locator('[id="status.languageStatus"]').waitFor();
      await views.open('Pincer', 'Plugins');
      await tree.row('greeter').action('Enable Plugin');
      await answerDialog(page, 'Enable');
      await problems.open();
      await problems.row(/llm_input/u).waitFor();
      await screenshot('manage-problems-panel');
      await problems.fix(/llm_input/u, 'Let greeter Read Conversations…');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText('It then sees what you write').waitFor();
      await screenshot('manage-fix-question');
      await answerDialog(page, 'Cancel');
      await tree.row('greeter').expand();
      const problem = tree.rowWith(/llm_input.*allowConversationAccess/u);
      await screenshot('manage-problem-in-tree');
      await problem.action('Let It Read Conversations…');
      await answerDialog(page, 'Allow');
      await problem.locator.waitFor({ state: 'detached' });
      await problems.row(/llm_input/u).waitFor({ state: 'detached' });
      await tree.row('Hooks').expand();
      await tree.row('llm_input').locator.waitFor();
      await screenshot('manage-fixed');
    },
  );
});

it('installs a plugin from a folder for all workspaces, after saying what it does, and uninstalls it after asking', async ({
  withWorkbench,
}) => {
  const inFolder = Object.entries(greeter).map(
    ([path, text]) => [path.replace('.pincer/plugins/', 'downloads/'), text] as const,
  );
  const files = { 'README.md': '# Hi\n', ...Object.fromEntries(inFolder) };
  await withWorkbench('install', { workspace: { files }, trust: 'trusted' }, async (bench) => {
    const { chat, views, page, palette, notifications, screenshot } = bench;
    await views.open('Pincer', 'Plugins');
    await palette.run('Pincer: Install Plugin…');
    await page.locator('.quick-input-widget').getByText('Install a plugin').waitFor();
    // What takes the focus for a moment, such as a view that loads late, does not close the list.
    await page.locator('.sidebar .composite.title').click();
    await palette.pick('A folder');
    await palette.enterFolder(`${bench.workspace}/downloads/greeter`, 'Install');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('Install the plugin greeter 1.0.0?').waitFor();
    await dialog.getByText('Slash commands: /hail').waitFor();
    await screenshot('manage-install');
    await answerDialog(page, 'Install');
    await notifications.waitFor('Installed greeter.');
    await views.tree('Plugins').row('Installed').locator.waitFor();
    await views.tree('Plugins').row('greeter').expand();
    await screenshot('manage-installed');
    // The install was asked about: nothing is left to be said of how it came to be there.
    expect(await views.tree('Plugins').rowWith('plugins.allow').locator.count()).toBe(0);
    await chat.send('/tool greet {}');
    await chat.waitForAnswer(/Hello, Ada!/u);

    const row = views.tree('Plugins').row('greeter');
    await row.menu('Uninstall Plugin…');
    await dialog.getByText('Uninstall the plugin greeter 1.0.0?').waitFor();
    await screenshot('manage-uninstall');
    await answerDialog(page, 'Uninstall');
    await notifications.waitFor('Uninstalled greeter.');
    await row.locator.waitFor({ state: 'detached' });
    expect(existsSync(join(bench.home, 'plugins', 'greeter'))).toBe(false);
  });
});
