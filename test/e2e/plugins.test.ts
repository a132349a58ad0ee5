import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answerDialog } from './driver/dialogs.ts';
import { until } from './driver/until.ts';
import { it } from './withWorkbench.ts';

const manifest = (id: string): string =>
  JSON.stringify({ id, name: id, version: '1.0.0', configSchema: { type: 'object' } });

/**
 * A guard that stops writes to one folder, and says why. It fails for those to another one until it is loaded again, as it would had
 * it hung twice: a real loop would end this window.
 */
const guard = {
  '.pincer/plugins/archive-guard/openclaw.plugin.json': manifest('archive-guard'),
  '.pincer/plugins/archive-guard/index.ts': `
export default {
  id: 'archive-guard',
  register(api: any) {
    const state = globalThis as unknown as Record<string, number | undefined>;
    const load = (state.archiveLoads = (state.archiveLoads ?? 0) + 1);
    api.on('before_tool_call', (event: any) => {
      if (event.toolName === 'write' && String(event.params.path).startsWith('hung/')) {
        state.archiveHungIn ??= load;
        const hung = { name: 'PincerError', code: 'plugin_call_hung' };
        if (state.archiveHungIn === load) throw Object.assign(new Error('hung'), hung);
      }
      if (event.toolName === 'write' && String(event.params.path).startsWith('archive/')) {
        return { block: true, blockReason: 'the archive is closed' };
      }
    });
    api.registerTool({
      name: 'archive_size',
      description: 'Counts what is in the archive.',
      parameters: { type: 'object', properties: {} },
      execute: async () => ({ content: [{ type: 'text', text: 'The archive holds 7 files.' }] }),
    });
  },
};
`,
};

it('enables a workspace plugin in the tree, lets it block a call, and says who blocked and why; disabling frees the call', async ({
  withWorkbench,
}) => {
  await withWorkbench(
    'plugin-blocks',
    { workspace: { files: { 'README.md': '# Hi\n', ...guard } }, trust: 'trusted' },
    async (bench) => {
      const { chat, views, page, screenshot, read } = bench;
      await views.open('Pincer', 'Plugins');
      const row = views.tree('Plugins').row('archive-guard');
      await row.waitForText('disabled by default');
      await screenshot('d-plugin-waits-for-consent');

      await row.action('Enable Plugin');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText('before_tool_call').waitFor();
      await screenshot('d-plugin-consent');
      await answerDialog(page, 'Enable');
      await row.waitForText(/· on$/u);
      await row.expand();
      await views.tree('Plugins').row('Tools').expand();
      await views.tree('Plugins').row('archive_size').locator.waitFor();
      await screenshot('d-plugin-enabled');

      await chat.send('/tool archive_size {}');
      await chat.waitForAnswer(/7 files/u);

      await chat.send('write archive/old.md: anything');
      await chat.waitForAnswer(/archive-guard/u, 'the archive is closed');
      expect(await read('archive/old.md')).toBeUndefined();
      await screenshot('c-plugin-blocked-a-call');

      await chat.send('write hung/new.md: anything');
      await chat.waitForAnswer(
        'Reload the Plugin',
        'write hung/new.md was blocked by plugin archive-guard: the plugin archive-guard did not return from before_tool_call',
      );
      await screenshot('c-plugin-hung');
      await chat.click('Reload the Plugin');
      await until('the plugin to be loaded again', async () => {
        await chat.send('write hung/new.md: anything');
        const text = await chat.waitForText(/Allow once|Reload the Plugin/u);
        return text.includes('Allow once');
      });
      await chat.decide('Deny');
      await chat.waitForAnswer('You denied write hung/new.md');

      await row.action('Disable Plugin');
      await row.waitForText('disabled');
      await screenshot('d-plugin-disabled');
      await chat.send('write archive/old.md: anything');
      await chat.waitForText('Write archive/old.md');
      await chat.decide('Allow once');
      await chat.waitForAnswer();
      expect(await read('archive/old.md')).toContain('anything');
    },
  );
});

it('begins no turn without a guard that was edited behind its back: shows what changed, and goes on once it is allowed', async ({
  withWorkbench,
}) => {
  await withWorkbench(
    'guard-edited',
    { workspace: { files: { 'README.md': '# Hi\n', ...guard } }, trust: 'trusted' },
    async (bench) => {
      const { chat, editors, views, page, screenshot, read } = bench;
      const allow = (): Promise<void> => answerDialog(page, /^(?:Enable|Allow)$/u);
      await views.open('Pincer', 'Plugins');
      await views.tree('Plugins').row('archive-guard').action('Enable Plugin');
      await allow();
      await views.tree('Plugins').row('archive-guard').waitForText(/· on$/u);
      const file = join(bench.workspace, '.pincer/plugins/archive-guard/index.ts');
      const code = await readFile(file, 'utf8');
      await writeFile(file, code.replace("startsWith('archive/')", "startsWith('nowhere/')"));
      await bench.reload();

      await chat.send('write archive/old.md: anything');
      await chat.waitForAnswer(
        /The agent does not run/u,
        'its files or settings have changed since you allowed it',
        'Correct that, then send the message again.',
      );
      expect(await read('archive/old.md')).toBeUndefined();
      await screenshot('d-guard-edited');
      await chat.click('Show Changes of archive-guard');
      await editors.waitForActive(/archive-guard: as you enabled it/u);
      await page.locator('.multiDiffEntry').getByText("startsWith('nowhere/')").first().waitFor();
      await screenshot('d-guard-changes');

      await writeFile(file, code.replace('the archive is closed', 'the archive is shut'));
      await chat.click('Enable archive-guard');
      await allow();
      await chat.send('write archive/old.md: anything');
      await chat.waitForAnswer(/the archive is shut/u);
      expect(await read('archive/old.md')).toBeUndefined();
      await screenshot('d-guard-allowed-again');
    },
  );
});

it('runs nothing of an untrusted folder: not on activation, in the tree, in diagnostics or on reload', async ({
  withWorkbench,
}) => {
  const trap = {
    '.pincer/plugins/trap/openclaw.plugin.json': manifest('trap'),
    '.pincer/plugins/trap/index.ts': `
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
writeFileSync(join(__dirname, '..', '..', '..', 'marker.txt'), 'ran');
export default () => { writeFileSync(join(__dirname, '..', '..', '..', 'marker.txt'), 'ran'); };
`,
    '.pincer/plugins/trap/package.json': JSON.stringify({
      name: 'trap',
      openclaw: { extensions: ['./index.ts'] },
    }),
  };
  await withWorkbench(
    'untrusted',
    {
      workspace: { files: { 'README.md': '# Trap\n\nThe bilge pump is blue.\n', ...trap } },
      trust: 'untrusted',
    },
    async (bench) => {
      const marker = join(bench.workspace, 'marker.txt');
      await bench.views.open('Pincer', 'Plugins');
      const row = bench.views.tree('Plugins').row('trap');
      await row.waitForText('not trusted');
      await row.expand();
      await bench.screenshot('f-untrusted-tree');
      await bench.palette.run('Pincer: Reload All Plugins');
      await bench.chat.send('/plugins');
      await bench.chat.waitForAnswer(/trap/u);
      await bench.chat.send('What colour is the bilge pump?');
      await bench.chat.waitForAnswer(/blue/u);
      await bench.screenshot('f-untrusted-answer');
      await bench.chat.send('write notes.md: hello');
      await bench.chat.waitForAnswer(/not trusted/u);
      await bench.reload();
      await bench.chat.send('/status');
      await bench.chat.waitForAnswer();
      expect(existsSync(marker)).toBe(false);
      expect(await bench.read('notes.md')).toBeUndefined();
    },
  );
});

it('names every plugin that can not load and goes on without it', async ({ withWorkbench }) => {
  const files = {
    'README.md': '# Bad plugins\n',
    '.pincer/config.jsonc': '{\n  "agent": {\n    "maxRounds": "many"\n  }\n}\n',
    '.pincer/plugins/throws/openclaw.plugin.json': manifest('throws'),
    '.pincer/plugins/throws/index.js': "throw new Error('no luck today');\n",
    '.pincer/plugins/hollow/openclaw.plugin.json': '{ "id": "hollow" }',
    '.pincer/plugins/hollow/index.js': 'module.exports = () => {};\n',
    '.pincer/plugins/odd-tool/openclaw.plugin.json': manifest('odd-tool'),
    '.pincer/plugins/odd-tool/index.js':
      "module.exports = (api) => { api.registerTool({ name: 'odd', description: 'x', parameters: 'none', execute() {} }); };\n",
  };
  await withWorkbench('bad-input', { workspace: { files }, trust: 'trusted' }, async (bench) => {
    await bench.views.open('Pincer', 'Plugins');
    const tree = bench.views.tree('Plugins');
    for (const id of ['throws', 'odd-tool']) {
      await tree.row(id).action('Enable Plugin');
      await answerDialog(bench.page, 'Enable');
      // The tree is drawn anew with the outcome; a click before that would meet a row that is about to go.
      await tree.row('throws').waitForText('failed to load');
    }
    await tree.row('throws').expand();
    await bench.chat.send('/plugins');
    await bench.chat.waitForAnswer(/no luck today/u, 'configSchema', 'maxRounds');
    await bench.screenshot('bad-input-is-named');
    // A tool is judged when a session first needs it.
    await bench.chat.send('/tools');
    expect(await bench.chat.waitForAnswer(/read/u)).not.toMatch(/\bodd\b/u);
    await bench.chat.send('/plugins');
    await bench.chat.waitForAnswer(/plugin tool is malformed \(odd-tool\): odd missing parameters object/u);
  });
});

it('holds back a tool that a plugin registers beyond what was shown, until that is agreed to', async ({
  withWorkbench,
}) => {
  const harbour = {
    '.pincer/plugins/harbour/openclaw.plugin.json': manifest('harbour'),
    '.pincer/plugins/harbour/index.js': `
module.exports = (api) => {
  const name = ['harbour', 'depth'].join('_');
  const execute = async () => ({ content: [{ type: 'text', text: 'It is 9 fathoms deep.' }] });
  api.registerTool({ name, description: 'x', parameters: { type: 'object', properties: {} }, execute });
};
`,
  };
  const files = { 'README.md': '# Hi\n', ...harbour };
  await withWorkbench('plugin-more', { workspace: { files }, trust: 'trusted' }, async (bench) => {
    const { chat, views, page, screenshot } = bench;
    const dialog = page.locator('.monaco-dialog-box');
    await views.open('Pincer', 'Plugins');
    const tree = views.tree('Plugins');
    await tree.row('harbour').action('Enable Plugin');
    await answerDialog(page, 'Enable');
    await tree.row('harbour').waitForText(/· on$/u);
    await chat.send('/tool harbour_depth {}');
    expect(await chat.waitForAnswer(/harbour_depth/u)).not.toContain('9 fathoms');
    await tree.row('harbour').expand();
    await screenshot('d-plugin-registers-more');
    await tree.rowWith('registers more than was shown').action('Let It Register More…');
    await dialog.getByText('tool harbour_depth').waitFor();
    await screenshot('d-plugin-let-it');
    await answerDialog(page, 'Allow');
    await tree.rowWith('registers more than was shown').locator.waitFor({ state: 'detached' });
    await chat.send('/tool harbour_depth {}');
    await chat.waitForAnswer(/9 fathoms/u);
  });
});
