import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createGate, textAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { answerDialog } from './driver/dialogs.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { createProblems } from './driver/problems.ts';
import { createSuggestions } from './driver/suggestions.ts';
import { hoverUntil } from './driver/until.ts';
import type { Tree } from './driver/views.ts';
import { homeWithModel, it, type WithWorkbench } from './withWorkbench.ts';

/** The workspace's agent file with these lines below `plugins:`, and the code of its plugins. */
function agentFile(
  plugins: readonly string[],
  code: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const modules = Object.entries(code).map(([name, text]) => [`.pincer/${name}/${name}.ts`, text]);
  return {
    'README.md': '# Boat\n\nThe bilge pump is blue.\n',
    '.pincer/agent.yml': `${['plugins:', ...plugins].join('\n')}\n`,
    ...(Object.fromEntries(modules) as Record<string, string>),
  };
}

const custom = (name: string, ...more: readonly string[]): readonly string[] => [
  '  custom:',
  `    - name: ${name}`,
  `      module: \${{dexto.agent_dir}}/${name}/${name}.ts`,
  '      priority: 50',
  ...more.map((line) => `      ${line}`),
];

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

const withModel = (
  withWorkbench: WithWorkbench,
  name: string,
  files: Readonly<Record<string, string>>,
  test: (bench: Workbench) => Promise<void>,
): Promise<void> =>
  withWorkbench(name, { workspace: { files }, trust: 'trusted', home: homeWithModel(server.baseUrl) }, test);

/** The Plugins view, with the room of the views around it. */
async function openPlugins({ views }: Workbench): Promise<Tree> {
  await views.open('Pincer', 'Plugins');
  return views.tree('Plugins');
}

const allow = ({ page }: Workbench, button = 'Enable'): Promise<void> => answerDialog(page, button);

it('contentPolicy refuses a message that is too long, in the chat, before any model reads it', async ({
  withWorkbench,
}) => {
  const files = agentFile([
    '  contentPolicy:',
    '    priority: 10',
    '    blocking: true',
    '    maxInputChars: 60',
  ]);
  server.script(textAnswer('Six.'));
  await withModel(withWorkbench, 'content-policy', files, async (bench) => {
    const { chat, screenshot } = bench;
    const tree = await openPlugins(bench);
    const row = tree.row('contentPolicy');
    await row.waitForText(/Dexto 10, blocking/u);
    // Before anything redraws it: a redrawn row swallows the click that is on its way.
    await row.expand();
    const long = `When does the tide turn? ${'It matters to me. '.repeat(8)}`;
    await chat.send(long);
    await chat.waitForAnswer(/60 are allowed/u, 'contentPolicy stopped this message before a model read it');
    expect(server.requests).toEqual([]);
    await tree.row('beforeLLMRequest').waitForText(/blocked 1 · .*before OpenClaw/u);
    await screenshot('dexto-content-policy');

    await chat.send('When does the tide turn?');
    await chat.waitForAnswer(/Six\./u);
    expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain('It matters to me');
  });
});

it('responseSanitizer takes a key out of a streamed answer that comes in two parts: nobody sees it, nothing keeps it', async ({
  withWorkbench,
}) => {
  const key = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
  const halves = [key.slice(0, 20), key.slice(20)] as const;
  const files = agentFile([
    '  responseSanitizer:',
    '    priority: 900',
    '    blocking: false',
    '    redactApiKeys: true',
  ]);
  const gate = createGate();
  server.script(
    {
      steps: [
        { text: `The key is ${halves[0]}` },
        { wait: gate.opened },
        { text: `${halves[1]}, keep it.` },
        { finish: 'stop' },
        { mark: true },
      ],
    },
    textAnswer('I did.'),
  );
  await withModel(withWorkbench, 'sanitizer', files, async (bench) => {
    const { chat, screenshot } = bench;
    const seen = await watchScreen(bench, key.slice(0, 12));
    await chat.send('What is the key?');
    await server.waitForRequests(1);
    await screenshot('dexto-sanitizer-holds');
    gate.open();
    await chat.waitForAnswer('The key is [REDACTED], keep it.');
    await screenshot('dexto-sanitizer');
    await chat.send('Did you keep it?');
    await chat.waitForAnswer(/I did/u);
    const sent = JSON.stringify(server.requests[1]?.json);
    expect(sent).toContain('The key is [REDACTED], keep it.');
    expect(sent).not.toContain(key.slice(0, 12));
    expect(await seen()).toBe(0);
    expect(await filesWith(bench.allFiles, key.slice(0, 12))).toEqual([]);
  });
});

/** Counts how often a text stands on the page from now on, however short. */
async function watchScreen({ page }: Workbench, text: string): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.seenOnScreen = 0;
    new MutationObserver(() => {
      if (document.body.textContent.includes(${JSON.stringify(text)})) globalThis.seenOnScreen += 1;
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  `);
  return async () => await page.evaluate<number>('globalThis.seenOnScreen');
}

/** Files below a folder that hold a text. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await bytesOf(path)).includes(text)) found.push(path);
  }
  return found;
}

/** Nothing for a file that has gone since it was listed: the editor and the browser are still at work. */
async function bytesOf(path: string): Promise<Buffer> {
  return await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}

const audit = `
import { writeFileSync } from 'node:fs';
import type { DextoPlugin, PluginResult } from '@dexto/core';

writeFileSync(process.env.PINCER_HOME + '/ran.txt', 'ran');

export default class Audit implements DextoPlugin {
  async beforeToolCall(): Promise<PluginResult> {
    return { ok: true, notices: [{ kind: 'info', code: 'SEEN', message: 'one more call' }] };
  }
  async afterToolResult(): Promise<PluginResult> {
    throw new Error('The audit server is away');
  }
}
`;

/** Of the other dialect, on the same call. */
const claw = {
  '.pincer/plugins/claw/openclaw.plugin.json': JSON.stringify({
    id: 'claw',
    version: '1.0.0',
    configSchema: { type: 'object' },
  }),
  '.pincer/plugins/claw/index.js':
    "module.exports = (api) => { api.on('before_tool_call', () => undefined); };\n",
};

it('an audit plugin runs once the user has agreed; it fails and nobody is disturbed, but the tree and the trace of the run show it', async ({
  withWorkbench,
}) => {
  const files = { ...agentFile(custom('audit', 'blocking: false'), { audit }), ...claw };
  await withWorkbench('audit', { workspace: { files }, trust: 'trusted' }, async (bench) => {
    const { chat, page, palette, screenshot } = bench;
    const tree = await openPlugins(bench);
    const ran = join(bench.home, 'ran.txt');
    const row = tree.row('audit');
    await row.waitForText('disabled by default');
    await screenshot('dexto-waits');
    await row.action('Enable Plugin');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('Extension points: beforeToolCall, afterToolResult').waitFor();
    await dialog.getByText('It sees what is said').waitFor();
    await dialog.getByText('database: a file in the state folder of this workspace').waitFor();
    await screenshot('dexto-consent');
    expect(existsSync(ran)).toBe(false);
    await allow(bench);
    await row.waitForText(/^audit *on · Dexto 50, not blocking/u);
    expect(existsSync(ran)).toBe(true);
    await tree.row('claw').action('Enable Plugin');
    await allow(bench);
    await tree.row('claw').waitForText(/· on$|^on$/u);

    await row.expand();
    await chat.send('read README.md');
    const answer = await chat.waitForAnswer(/blue/u);
    expect(answer).not.toContain('audit');
    await tree.rowWith(/Failed at afterToolResult: .*The audit server is away/u).locator.waitFor();
    await tree
      .row('beforeToolCall')
      .waitForText(/^beforeToolCall *95% within .* · after OpenClaw · priority 50 · not blocking/u);
    await tree.row('afterToolResult').waitForText(/failed \d/u);
    await screenshot('dexto-audit-failed');

    await palette.run('Pincer: Show Last Run');
    const frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    const lines = frame.locator('#lines');
    await lines.getByText('audit · afterToolResult failed').first().waitFor();
    const order = ['claw · before_tool_call', 'audit · beforeToolCall', 'audit · afterToolResult failed'];
    for (const each of order) await lines.getByText(each).first().waitFor();
    const text = await lines.innerText();
    const places = order.map((each) => text.indexOf(each));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    await screenshot('dexto-last-run');
    await frame.getByLabel('Plugin', { exact: true }).selectOption({ label: 'audit' });
    await lines.getByText('claw · before_tool_call').first().waitFor({ state: 'detached' });
    await lines.getByText('audit · afterToolResult failed').first().waitFor();
  });
});

it('a broken agent file stops the agent: the chat says why and where, and typing it right brings the agent back', async ({
  withWorkbench,
}) => {
  const files = agentFile(['  contentPolicy:', '    priority: 10', '    maxInputChars: many']);
  server.script(textAnswer('Six.'));
  await withModel(withWorkbench, 'broken-agent-file', files, async (bench) => {
    const { chat, page, editors, palette, screenshot } = bench;
    const tree = await openPlugins(bench);
    await chat.send('When does the tide turn?');
    await chat.waitForAnswer(/The agent does not run/u, 'maxInputChars', 'agent.yml:4');
    expect(server.requests).toEqual([]);
    await tree.rowWith(/maxInputChars/u).waitForText('agent.yml:4');
    const problems = createProblems(page);
    await problems.open();
    await problems
      .row(/maxInputChars/u)
      .filter({ hasText: '[Ln 4, Col 20]' })
      .waitFor();
    await screenshot('dexto-stopped');

    await palette.run('Pincer: Open Agent File');
    await editors.waitForActive('agent.yml');
    // A double click opens the place twice, and the second time takes the selection from whoever types by then.
    await problems.row(/maxInputChars/u).click();
    await expect.poll(() => editors.line()).toBe(4);
    await page.locator('.part.editor .view-line').filter({ hasText: 'many' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ControlOrMeta+Shift+ArrowLeft');
    await page.keyboard.insertText('60');
    await page.keyboard.press('ControlOrMeta+S');
    await tree.row('contentPolicy').waitForText(/on · Dexto 10/u);
    await problems.row(/maxInputChars/u).waitFor({ state: 'detached' });
    await chat.send('When does the tide turn?');
    await chat.waitForAnswer(/Six\./u);
    await screenshot('dexto-goes-on');
  });
});

const licence = `
import { existsSync } from 'node:fs';

export default class Licence {
  async initialize(config: { file: string }) {
    if (!existsSync(config.file)) throw new Error('The licence server does not answer');
  }
  async beforeLLMRequest() {
    return { ok: true };
  }
}
`;

it('a plugin that can not be initialized stops the agent, until the retry in the tree succeeds', async ({
  withWorkbench,
}) => {
  const lines = custom('licence', 'config:', '  file: ${{dexto.project_dir}}/licence.txt');
  const files = { ...agentFile(lines, { licence }), 'licence.txt': 'yes' };
  server.script(textAnswer('Six.'));
  await withModel(withWorkbench, 'retry', files, async (bench) => {
    const { chat, screenshot } = bench;
    const file = join(bench.workspace, 'licence.txt');
    const tree = await openPlugins(bench);
    const row = tree.row('licence');
    await row.action('Enable Plugin');
    await allow(bench);
    await row.waitForText(/on · Dexto 50, blocking/u);

    // The next time the window opens, the server is away.
    await rm(file);
    await bench.reload();
    await openPlugins(bench);
    await row.waitForText('The licence server does not answer');
    await chat.send('When does the tide turn?');
    await chat.waitForAnswer(/The agent does not run/u, 'The licence server does not answer', 'licence.ts:6');
    expect(server.requests).toEqual([]);
    await row.expand();
    await screenshot('dexto-initialize-fails');

    await writeFile(file, 'yes');
    await tree.rowWith(/could not be initialized/u).action('Reload Plugin');
    await row.waitForText(/on · Dexto 50, blocking/u);
    await chat.send('When does the tide turn?');
    await chat.waitForAnswer(/Six\./u);
  });
});

it('opens an agent file that names no plugin from the palette', async ({ withWorkbench }) => {
  const files = { '.pincer/agent.yml': 'systemPrompt: Be short.\n' };
  await withWorkbench('agent-file-alone', { workspace: { files }, trust: 'trusted' }, async (bench) => {
    await openPlugins(bench);
    await bench.palette.run('Pincer: Open Agent File');
    await bench.editors.waitForActive('agent.yml');
  });
});

it('completes and explains an agent file while it is typed, with no extension for YAML', async ({
  withWorkbench,
}) => {
  const files = agentFile(['  contentPolicy:', '    priority: 10']);
  await withWorkbench('agent-file-editing', { workspace: { files }, trust: 'trusted' }, async (bench) => {
    const { page, editors, screenshot, read } = bench;
    const suggestions = createSuggestions(page);
    const tree = await openPlugins(bench);
    await tree.row('contentPolicy').menu('Open Agent File');
    await editors.waitForActive('agent.yml');
    await expect.poll(() => editors.line()).toBe(2);
    await editors.waitForFocus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('    redactE');
    await suggestions.choose('redactEmails', async () => await screenshot('dexto-completion-key'));
    await suggestions.choose('true', async () => await screenshot('dexto-completion-value'));
    await page.keyboard.press('ControlOrMeta+S');
    await expect.poll(async () => await read('.pincer/agent.yml')).toContain('    redactEmails: true');
    const word = page.locator('.part.editor .view-line span span', { hasText: 'redactEmails' }).first();
    const hover = page.locator('.monaco-hover').getByText('Replace email addresses with [EMAIL].');
    await hoverUntil(word, hover);
    await screenshot('dexto-hover');
  });
});

/** On one line: the editor indents and closes what is typed on several. */
const signer = (mark: string): string =>
  `export default class Signer { async beforeResponse({ content }: any) { return { ok: true, modify: { content: content + ' ${mark}' } }; } }`;

it('a plugin that the user develops takes effect with the next message after it is saved', async ({
  withWorkbench,
}) => {
  server.script(textAnswer('One.'), textAnswer('Two.'));
  await withModel(
    withWorkbench,
    'hot-reload',
    agentFile(custom('signer'), { signer: signer('Signed A.') }),
    async (bench) => {
      const { chat, page, editors, screenshot, read } = bench;
      const tree = await openPlugins(bench);
      const row = tree.row('signer');
      await row.action('Enable Plugin');
      await allow(bench);
      await row.waitForText(/on · Dexto 50, blocking/u);
      await row.menu('I Am Developing This Plugin');
      await allow(bench, 'I Am Developing It');
      await row.waitForText('developing');
      await chat.send('Say one');
      await chat.waitForAnswer(/One\. Signed A\./u);
      await row.menu('Open Plugin Source');
      await editors.waitForActive('signer.ts');
      await editors.waitForText('Signed A.');
      await editors.waitForFocus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(signer('Signed B.'));
      await page.keyboard.press('ControlOrMeta+S');
      await screenshot('dexto-developing');
      await expect.poll(async () => await read('.pincer/signer/signer.ts')).toContain('Signed B.');
      await chat.send('Say two');
      await chat.waitForAnswer(/Two\. Signed B\./u);
    },
  );
});
