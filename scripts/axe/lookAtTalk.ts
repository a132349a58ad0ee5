import type { Frame, Page } from 'playwright-core';
import { startPostOffice, postPluginFiles } from '../../test/builders/postOffice.ts';
import {
  hangingAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedModelServer,
} from '../../test/builders/scriptedModelServer.ts';
import { homeWithModel } from '../../test/builders/homeWithModel.ts';
import { createChatView } from '../../test/e2e/driver/chatView.ts';
import type { Workbench } from '../../test/e2e/driver/openWorkbench.ts';
import type { startEditor } from '../../test/e2e/driver/startEditor.ts';
import { inEachTheme, lookAt, parts, webview, type Finding, type Theme } from './findings.ts';
import type { PincerFindings } from './lookAtPincer.ts';

const manifest = { id: 'callbacks', name: 'callbacks', version: '1.0.0', configSchema: { type: 'object' } };
const callbacks = `module.exports = (api) => {
  for (const [path, auth, match] of [['/callback', 'plugin', 'exact'], ['/files', 'gateway', 'prefix']])
    api.registerHttpRoute({ path, auth, match, handler: (request, response) => void response.end('heard') });
};`;

/** How people and programs reach the agent beside the chat panel: the Chat view, channels, addresses; in three themes. */
export async function lookAtTalk(
  editor: Awaited<ReturnType<typeof startEditor>>,
  server: ScriptedModelServer,
): Promise<PincerFindings> {
  const office = await startPostOffice();
  try {
    const config = { gateway: { port: 0 }, channels: { post: { enabled: true, url: office.baseUrl } } };
    const bench = await editor.open({
      workspace: { files: { 'README.md': '# Boat\n\nShe leaks.\n' } },
      trust: 'trusted',
      home: {
        ...homeWithModel(server.baseUrl, config),
        ...postPluginFiles,
        'plugins/callbacks/openclaw.plugin.json': JSON.stringify(manifest),
        'plugins/callbacks/index.js': callbacks,
      },
      fresh: 'views have to be empty first',
    });
    const own = await lookAtChatView(bench, server);
    const drawn = [...(await lookAtChannels(bench, office, server)), ...(await lookAtAddresses(bench))];
    return { own, drawn };
  } finally {
    await office.close();
  }
}

/** The page in its iframe: empty, with a list of offers, while a turn runs, with a question, answered. */
async function lookAtChatView(bench: Workbench, server: ScriptedModelServer): Promise<readonly Finding[]> {
  const { page, views } = bench;
  const found: Finding[] = [];
  const look = (state: string): Promise<void> =>
    inEachTheme(bench, async (theme) => {
      found.push(...(await lookAt(await onSideBar(page, theme), 'body', `Chat view, ${state}, ${theme}`)));
      await bench.screenshot(`axe-chat-view-${state}-${theme}`);
    });
  await views.open('Pincer', 'Chat');
  const chat = createChatView(page);
  await chat.frame.getByText('Ask about this workspace').waitFor();
  await look('empty');
  await chat.input().pressSequentially('/');
  await chat.frame.getByRole('option', { name: '/status' }).waitFor();
  found.push(...(await lookAt(await onSideBar(page, 'light'), 'body', 'Chat view, offers, light')));
  await chat.input().fill('');

  server.script(
    toolCallAnswer([{ name: 'read', arguments: { path: 'missing.md' } }], { text: 'I **look** at `it`.' }),
    toolCallAnswer([{ name: 'write', arguments: { path: 'log.md', content: '# Log\n\nDay one.\n' } }]),
    textAnswer('Then not. See [the rules](README.md).'),
    hangingAnswer('It is ', 'coming.'),
  );
  await chat.send('Write the log.');
  await chat.waitForText('question', 'log.md');
  await look('question');
  await chat.button('Deny').click();
  await chat.waitForAnswer('Then not.');
  await look('answer');
  await chat.send('And now?');
  await chat.waitForText('answer', 'It is');
  await chat.input().fill('Then the wind');
  await page.keyboard.press('Alt+Enter');
  await chat.frame.getByText('Then the wind').first().waitFor();
  await look('running');
  await chat.button('Stop').click();
  await chat.waitForText('note', 'Stopped.');
  return found;
}

/** The page is transparent, and axe takes what lies behind an iframe for white. */
async function onSideBar(page: Page, theme: Theme): Promise<Frame> {
  const frame = await webview(page, theme);
  await frame.evaluate(`document.body.style.background = 'var(--vscode-sideBar-background)'`);
  return frame;
}

/** A sender who waits, and a conversation. */
async function lookAtChannels(
  bench: Workbench,
  office: Awaited<ReturnType<typeof startPostOffice>>,
  server: ScriptedModelServer,
): Promise<readonly Finding[]> {
  const { page, views, palette, notifications } = bench;
  const found: Finding[] = [];
  const look = (state: string): Promise<void> =>
    inEachTheme(bench, async (theme) => {
      found.push(...(await lookAt(page, parts.sideBar, `Channels, ${state}, ${theme}`)));
      await bench.screenshot(`axe-channels-${state}-${theme}`);
    });
  await views.open('Pincer', 'Channels');
  await palette.run('Pincer: Show Channels');
  const tree = views.tree('Channels');
  await tree.row('Post').waitForText('running');
  office.write({ from: '42', name: 'Ann', id: '1', text: 'When does the tide turn?' });
  const pairing = tree.rowWith(/Ann.*Post/u);
  await pairing.locator.waitFor();
  await look('pairing');
  await pairing.action('Approve Sender');
  await pairing.locator.waitFor({ state: 'detached' });
  await notifications.clearAll();
  server.script(textAnswer('At six.'));
  office.write({ from: '42', name: 'Ann', id: '2', text: 'When does the tide turn?' });
  await tree.row('Ann').waitForText(/new/u);
  await look('conversation');
  return found;
}

/** The rows of a plugin's addresses, served and not. */
async function lookAtAddresses(bench: Workbench): Promise<readonly Finding[]> {
  const { page, views, palette, notifications } = bench;
  const found: Finding[] = [];
  const look = (state: string): Promise<void> =>
    inEachTheme(bench, async (theme) => {
      await tree.row('/callback').click();
      found.push(...(await lookAt(page, parts.sideBar, `Addresses, ${state}, ${theme}`)));
      await bench.screenshot(`axe-addresses-${state}-${theme}`);
    });
  await views.open('Pincer', 'Plugins');
  const tree = views.tree('Plugins');
  await tree.row('callbacks').expand();
  await tree.row('Addresses').expand();
  await tree.row('/callback').waitForText('gateway off');
  await notifications.clearAll();
  await look('off');
  await palette.run('Pincer: Start Gateway');
  await tree.row('/callback').waitForText(/http:\/\/127\.0\.0\.1:\d+\/callback/u);
  await notifications.clearAll();
  await look('on');
  await palette.run('Pincer: Stop Gateway');
  return found;
}
