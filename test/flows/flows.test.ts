import { afterEach, beforeEach, expect } from 'vitest';

import {
  createGate,
  hangingAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedAnswer,
  type ScriptedModelServer,
} from '../builders/scriptedModelServer.ts';
import { startKeyedModelServer, type KeyedModelServer } from '../e2e/keyedModelServer.ts';
import type { Workbench } from '../e2e/driver/openWorkbench.ts';
import { until } from '../e2e/driver/until.ts';
import { untilYesCounts } from '../e2e/untilYesCounts.ts';
import { chatViewFlows } from './chatViewFlows.ts';
import { flow, reportFlows } from './flow.ts';

// What a user does in a day, each from the first key to the outcome. The model answers by script and at once.

reportFlows();

const write = (path: string, content: string): ScriptedAnswer =>
  toolCallAnswer([{ name: 'write', arguments: { path, content } }]);

/** A log of many days; changed days far from each other are hunks of their own. */
const days = (...changed: readonly number[]): string =>
  Array.from({ length: 60 }, (_, at) => `day ${at + 1}${changed.includes(at + 1) ? ': wind' : ''}\n`).join(
    '',
  );

const isWritten = (bench: Workbench, path: string, text?: string) => async (): Promise<boolean> => {
  const found = await bench.read(path);
  return text === undefined ? found !== undefined : found === text;
};

const answers = ({ page }: Workbench) => page.locator('.interactive-session .interactive-response');
const message = ({ page }: Workbench, text: string) =>
  page.locator('.interactive-session .monaco-list-row.request').filter({ hasText: text }).last();

/** Which of these the model was sent last as said by the user, each as often as it was. */
function saidLast({ requests }: ScriptedModelServer): readonly string[] {
  const messages = requests.at(-1)?.body?.messages ?? [];
  const said = messages.filter(({ role }) => role === 'user').map((each) => JSON.stringify(each));
  return ['first words', 'second words', 'other words'].flatMap((words) =>
    said.filter((each) => each.includes(words)).map(() => words),
  );
}

async function sayInPanel({ page }: Workbench, text: string): Promise<void> {
  await page
    .locator('.interactive-session .chat-input-container .monaco-editor')
    .first()
    .click({
      position: { x: 8, y: 8 },
    });
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
  await page.keyboard.press('Enter');
}

/** Presses the shortcut of a box and fills the box in. */
async function sayByKey({ page, palette }: Workbench, key: string, text: string): Promise<void> {
  await page.keyboard.press(key);
  await page.locator('.quick-input-widget input.input:focus').waitFor();
  await palette.enter(text);
}

/** A click in the first half second after the question does not count, so it is repeated. */
async function clickUntil(
  click: () => Promise<void>,
  what: string,
  isDone: () => Promise<boolean>,
): Promise<void> {
  await until(what, async () => {
    if (await isDone()) return true;
    await click();
    return await isDone();
  });
}

flow('first answer, without a model', { config: 'no model', fresh: 'a first answer' }, async ({ bench }) => {
  await bench.chat.send('What can you do?');
  await bench.chat.waitForAnswer();
});

flow(
  'question about the docs',
  {
    files: { 'docs/setup.md': '# Setup\n\n## Tides\n\nThe tide turns every six hours.\n' },
    config: 'no model',
  },
  async ({ bench }) => {
    await bench.chat.send('When does the tide turn?');
    await bench.chat.waitForAnswer(/six hours/u);
    await bench.chat.click('setup.md');
    await bench.editors.waitForActive('setup.md');
  },
);

flow('edit with three hunks, one refused', { files: { 'log.md': days() } }, async ({ bench, server }) => {
  server.script(write('log.md', days(4, 30, 55)), textAnswer('Changed.'));
  await bench.chat.send('Note the wind');
  await bench.editors.diff.codeLens('✗ Reject', 2);
  await untilYesCounts(bench);
  await bench.editors.diff.codeLens('Apply 2 of 3');
  await bench.chat.waitForAnswer(/2 of 3 hunks accepted/u);
  expect(await bench.read('log.md')).toBe(days(4, 55));
});

flow('patch of five files', {}, async ({ bench, server }) => {
  const paths = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'];
  const patch = paths.map((path) => `*** Add File: ${path}\n+${path}\n`).join('');
  const input = `*** Begin Patch\n${patch}*** End Patch`;
  server.script(toolCallAnswer([{ name: 'apply_patch', arguments: { input } }]), textAnswer('Patched.'));
  await bench.chat.send('Make five files');
  await bench.page.locator('.codelens-decoration a').first().waitFor();
  await clickUntil(
    () => bench.page.keyboard.press('ControlOrMeta+Enter'),
    'the files to be written',
    isWritten(bench, 'e.md'),
  );
  await bench.chat.waitForAnswer(/Patched\./u);
  await bench.editors.waitForClosed(/Proposed edits/u);
});

flow('new file', {}, async ({ bench, server }) => {
  server.script(write('new.md', 'made\n'), textAnswer('Made.'));
  await bench.chat.send('Make a file');
  await bench.editors.diff.waitFor();
  await untilYesCounts(bench);
  await bench.editors.diff.codeLens('Apply');
  await bench.chat.waitForAnswer(/Made\./u);
  expect(await bench.read('new.md')).toBe('made\n');
});

flow('deny with words', {}, async ({ bench, server }) => {
  server.script(write('log.md', 'x\n'), textAnswer('Then I leave it.'));
  await bench.chat.send('Keep the log');
  await bench.editors.diff.waitFor();
  await sayByKey(bench, 'Control+Alt+Backspace', 'The log is finished');
  await bench.chat.waitForAnswer(/Then I leave it/u);
  expect(await bench.read('log.md')).toBeUndefined();
});

flow('steer', {}, async ({ bench, server }) => {
  const gate = createGate();
  server.script(
    {
      steps: [
        { text: 'Sailing south. ' },
        { wait: gate.opened },
        ...toolCallAnswer([{ name: 'ls', arguments: {} }]).steps,
      ],
    },
    textAnswer('Turned north.'),
  );
  await bench.chat.send('Sail south');
  await bench.chat.waitForText('Sailing south');
  await sayInPanel(bench, '@pincer Go north instead');
  await bench.page.locator('.interactive-session').getByText('Steering', { exact: true }).waitFor();
  gate.open();
  await answers(bench).last().getByText('Turned north.').waitFor();
});

flow('queue', {}, async ({ bench, server }) => {
  const gate = createGate();
  server.script(
    { steps: [{ text: 'Counting. ' }, { wait: gate.opened }, ...textAnswer('Three.').steps] },
    textAnswer('And four.'),
  );
  await bench.chat.send('Count');
  await bench.chat.waitForText('Counting');
  await sayByKey(bench, 'Control+Alt+Q', 'Go on');
  await bench.page.locator('.statusbar-item[id*="pincer.waiting"]').filter({ hasText: '1' }).waitFor();
  gate.open();
  await answers(bench).getByText('And four.').waitFor();
});

flow('stop', {}, async ({ bench, server }) => {
  server.script(hangingAnswer('The tide ', 'turns at '));
  await bench.chat.send('When does the tide turn?');
  await bench.chat.waitForText('turns at');
  await bench.chat.cancel();
  await server.waitForAbandoned(1);
});

flow('restore from the answer', { files: { 'log.md': 'one\n' } }, async ({ bench, server, begin }) => {
  server.script(write('log.md', 'two\n'), textAnswer('Done.'));
  await bench.chat.send('Change it');
  await bench.chat.waitForText('Write log.md');
  await bench.chat.decide('Allow once');
  await bench.chat.waitForAnswer(/Done\./u);
  await begin();
  await bench.chat.click('Restore…');
  await bench.palette.pick('Files and conversation');
  await bench.page
    .locator('.monaco-dialog-box')
    .getByRole('button', { name: 'Restore', exact: true })
    .click();
  await until('the file to be back', isWritten(bench, 'log.md', 'one\n'));
});

flow('restore from the panel', { files: { 'log.md': 'one\n' } }, async ({ bench, server, begin }) => {
  server.script(textAnswer('Hi.'), write('log.md', 'two\n'), textAnswer('Done.'), textAnswer('Otherwise.'));
  // The panel goes back to after a message, so that the first one has no such link.
  await bench.chat.send('Hello');
  await bench.chat.waitForAnswer(/Hi\./u);
  await bench.chat.send('Change it');
  await bench.chat.waitForText('Write log.md');
  await bench.chat.decide('Allow once');
  await bench.chat.waitForAnswer(/Done\./u);
  await begin();
  await message(bench, 'Change it').hover();
  await bench.page.locator('.interactive-session').getByText('Restore Checkpoint').last().click();
  await message(bench, 'Change it').waitFor({ state: 'detached' });
  await bench.chat.send('Do something else');
  await bench.chat.waitForAnswer(/Otherwise\./u);
  await answers(bench).last().getByText('Restore…').click();
  await bench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Restore' }).click();
  await until('the file to be back', isWritten(bench, 'log.md', 'one\n'));
});

flow('edit an earlier message', {}, async ({ bench, server, begin }) => {
  server.script(textAnswer('One.'), textAnswer('Two.'), textAnswer('One, otherwise.'));
  await bench.chat.send('first words');
  await bench.chat.waitForAnswer(/One\./u);
  await bench.chat.send('second words');
  await bench.chat.waitForAnswer(/Two\./u);
  await begin();
  await message(bench, 'first words').locator('.value').click();
  await bench.page.keyboard.press('ControlOrMeta+A');
  await bench.page.keyboard.insertText('@pincer other words');
  await bench.page.keyboard.press('Enter');
  await answers(bench).getByText('One, otherwise.').waitFor();
  expect(saidLast(server)).toEqual(['other words']);
});

flow('retry', {}, async ({ bench, server, begin }) => {
  server.script(textAnswer('One.'), textAnswer('One again.'));
  await bench.chat.send('first words');
  await bench.chat.waitForAnswer(/One\./u);
  await begin();
  await answers(bench).last().hover();
  await answers(bench).last().getByRole('button', { name: /Retry/u }).click();
  await answers(bench).getByText('One again.').waitFor();
  expect(saidLast(server)).toEqual(['first words']);
});

flow('long command', {}, async ({ bench, server }) => {
  const command = `echo ${Array.from({ length: 300 }, (_, at) => `word-${String(at)}`).join(' ')} && touch last.txt`;
  server.script(toolCallAnswer([{ name: 'exec', arguments: { command } }]), textAnswer('Ran.'));
  await bench.chat.send('Run it');
  await bench.chat.waitForText('Run a command');
  await bench.chat.click('Review…');
  await bench.editors.waitForActive('Whole call');
  // It can be allowed once its end was on screen.
  await bench.page.locator('.part.editor .monaco-editor .view-lines').first().click();
  await bench.page.keyboard.press('ControlOrMeta+End');
  await clickUntil(
    () => bench.page.keyboard.press('ControlOrMeta+Enter'),
    'the command to run',
    isWritten(bench, 'last.txt'),
  );
  await bench.chat.waitForAnswer(/Ran\./u);
});

flow('background command', { config: { tools: { exec: { allow: ['cat'] } } } }, async ({ bench, server }) => {
  server.script(
    toolCallAnswer([{ name: 'exec', arguments: { command: 'cat', background: true } }]),
    textAnswer('It is running.'),
  );
  await bench.chat.send('Run cat');
  await bench.chat.waitForAnswer(/It is running\./u);
  const status = bench.page.locator('.statusbar-item[id*="pincer.jobs"]').filter({ hasText: 'cat' });
  await status.click();
  const terminal = bench.page.locator('.terminal-widget-container');
  const rows = bench.page.locator('.terminal-wrapper.active .xterm-rows');
  await until('its terminal', async () =>
    (await rows.innerText()).replaceAll('\u00A0', ' ').includes('Ctrl+C'),
  );
  await terminal.click();
  await bench.page.keyboard.press('Control+c');
  await status.waitFor({ state: 'hidden' });
});

flow('five calls at once', {}, async ({ bench, server }) => {
  const paths = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'];
  const calls = paths.map((path) => ({ name: 'write', arguments: { path, content: 'x\n' } }));
  server.script(toolCallAnswer(calls), textAnswer('All written.'));
  await bench.chat.send('Write everything');
  await bench.chat.waitForText('Write a.md');
  await bench.chat.decide('Allow all edits of this turn');
  await bench.chat.waitForAnswer(/All written\./u);
  expect(await bench.chat.unfoldSteps('Wrote e.md')).toContain('Wrote a.md');
});

flow('plugin from template to hot reload', { fresh: 'a first plugin' }, async ({ bench }) => {
  const { chat, views, page, palette, editors } = bench;
  const row = views.tree('Plugins').row('my-tool');
  await views.open('Pincer', 'Plugins');
  await palette.run('Pincer: New Plugin…');
  await palette.pick('This workspace');
  await palette.pick('A tool that the model can call');
  await page.locator('.quick-input-widget').getByText('Its id').waitFor();
  await page.keyboard.press('Enter');
  await editors.waitForActive('index.ts');
  await bench.notifications.click('my-tool', 'Enable');
  await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Enable' }).click();
  await row.waitForText(/· on/u);
  await page.locator('.editor-group-container.active .monaco-editor .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(keelPlugin);
  await page.keyboard.press('ControlOrMeta+S');
  await chat.send('/tool keel {}');
  await chat.waitForAnswer(/the keel is lead/u);
});

const keelPlugin = `import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';

export default {
  id: 'my-tool',
  register(api: OpenClawPluginApi): void {
    api.registerTool({
      name: 'keel',
      description: 'Says something.',
      parameters: { type: 'object', properties: {} },
      execute: async () => ({ content: [{ type: 'text', text: 'the keel is lead' }] }),
    });
  },
};
`;

const manifest = { id: 'archive', name: 'archive', version: '1.0.0', configSchema: { type: 'object' } };

flow(
  'enable a workspace plugin',
  {
    files: {
      '.pincer/plugins/archive/openclaw.plugin.json': JSON.stringify(manifest),
      '.pincer/plugins/archive/index.js': keelPlugin
        .replace(/import .*\n/u, '')
        .replace('export default', 'module.exports =')
        .replace('my-tool', 'archive')
        .replace('(api: OpenClawPluginApi): void', '(api)'),
    },
    fresh: 'a plugin that nobody was asked about',
  },
  async ({ bench }) => {
    await bench.views.open('Pincer', 'Plugins');
    const row = bench.views.tree('Plugins').row('archive');
    await row.action('Enable Plugin');
    await bench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Enable' }).click();
    await row.waitForText(/· on$/u);
    await bench.chat.send('/tool keel {}');
    await bench.chat.waitForAnswer(/the keel is lead/u);
  },
);

let keyed: KeyedModelServer;
beforeEach(async () => {
  keyed = await startKeyedModelServer('sk-right-key', ['anchor-1', 'boom-2'], 'Aye.');
});
afterEach(() => keyed.close());

flow(
  'add a model with a wrong, then a right key',
  { config: 'no model', fresh: 'a first model' },
  async ({ bench }) => {
    const { palette, page, notifications, chat } = bench;
    const dialog = page.locator('.quick-input-widget');
    const title = (text: string): Promise<void> =>
      dialog.locator('.quick-input-title').getByText(text).waitFor();
    await palette.run('Pincer: Add Model…');
    await palette.pick('Another OpenAI-compatible server…');
    await title('Add model: address');
    await palette.enter(keyed.baseUrl);
    await title('Add model: key of 127.0.0.1');
    await palette.enter('sk-wrong-key');
    await dialog.locator('.quick-input-message').getByText('did not accept the API key').waitFor();
    await palette.enter('sk-right-key');
    await title('Add model: model of 127.0.0.1');
    await palette.pick('anchor-1');
    await notifications.waitFor('is ready: your next message goes to it.');
    await chat.send('Is the boom up?');
    await chat.waitForAnswer(/Aye\./u);
  },
);

flow(
  'search memory and open the hit',
  { files: { 'docs/setup.md': '# Setup\n\n## Tides\n\nThe tide turns every six hours.\n' } },
  async ({ bench }) => {
    const widget = bench.page.locator('.quick-input-widget');
    await bench.page.keyboard.press('Control+Alt+M');
    await widget.locator('input.input:focus').waitFor();
    await bench.page.keyboard.type('tide');
    await widget.locator('.monaco-list-row').filter({ hasText: 'Tides' }).first().waitFor();
    await bench.page.keyboard.press('Enter');
    await bench.editors.waitForActive('setup.md');
  },
);

chatViewFlows();
