import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { answerDialog } from './driver/dialogs.ts';
import { atSize, inTheme } from './driver/looks.ts';
import { seeing, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const manifest = { id: 'callbacks', name: 'callbacks', version: '1.0.0', configSchema: { type: 'object' } };
const plugin = `
export default {
  id: 'callbacks',
  register(api) {
    const answer = (request, response) => {
      response.end('heard');
    };
    api.registerHttpRoute({ path: '/callback', auth: 'plugin', match: 'exact', handler: answer });
    api.registerHttpRoute({ path: '/files', auth: 'gateway', match: 'prefix', handler: answer });
  },
};
`;

/** What is in the clipboard, by pasting it where a command is typed. */
async function pasted(page: Page): Promise<string> {
  const box = page.locator('.quick-input-widget input.input');
  const text = await until('the clipboard in the box', async () => {
    if (!(await box.isVisible())) await page.keyboard.press('F1');
    await box.fill('');
    await page.keyboard.press('ControlOrMeta+V');
    const value = await box.inputValue();
    return value !== '' && value;
  });
  await page.keyboard.press('Escape');
  return text;
}

interface McpSetup {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

function readSetup(text: string): McpSetup {
  const { mcpServers } = JSON.parse(text) as { readonly mcpServers: Readonly<Record<string, McpSetup>> };
  const [setup] = Object.values(mcpServers);
  if (setup === undefined) throw new Error(`There is no server in ${text}`);
  return setup;
}

/** The status of a question in the way of an MCP client. */
async function askMcp({ url, headers }: McpSetup): Promise<number> {
  const accept = 'application/json, text/event-stream';
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const sent = { ...headers, accept, 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers: sent, body })).status;
}

it('offers the gateway for a plugin with routes, turns its rows into addresses, and logs who asked', async ({
  withWorkbench,
  server,
}) => {
  const home = homeWithModel(server.baseUrl, { gateway: { port: 0 }, mcp: { serve: { http: true } } });
  const files = {
    'README.md': '# Hi\n',
    '.pincer/plugins/callbacks/openclaw.plugin.json': JSON.stringify(manifest),
    '.pincer/plugins/callbacks/index.ts': plugin,
  };
  await withWorkbench('addresses', { workspace: { files }, trust: 'trusted', home }, async (bench) => {
    const { editors, page, palette, views, notifications, screenshot } = bench;
    await views.open('Pincer', 'Plugins');
    const tree = views.tree('Plugins');
    await tree.row('callbacks').action('Enable Plugin');
    await answerDialog(page, 'Enable');
    await tree.row('callbacks').waitForText('on');
    const offer = 'callbacks can answer other programs of this machine once the gateway runs.';
    await notifications.waitFor(offer);
    expect(await notifications.buttons(offer)).toEqual(['Start', 'Not Now', "Don't Ask Again"]);
    await tree.row('callbacks').expand();
    await tree.row('Addresses').waitForText('2 · gateway off');
    await tree.row('Addresses').expand();
    await tree.row('/callback').waitForText('registered, not served: gateway off');
    await screenshot('addresses-off');
    await notifications.click(offer, 'Not Now');

    await tree.row('Addresses').action('Start Gateway');
    const callback = tree.row('/callback');
    await callback.waitForText(/http:\/\/127\.0\.0\.1:\d+\/callback/u);
    await tree.row('/files/…').waitForText('with the token');
    await screenshot('addresses-on');
    await inTheme(bench, 'Dark Modern', async () => await screenshot('addresses-dark'));
    await atSize(page, { width: 700, height: 800 }, async () => await screenshot('addresses-narrow'));
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\/callback/u.exec(await callback.text()) ?? [];
    const heard = await fetch(`${address}?code=not-to-be-logged`);
    expect([heard.status, await heard.text()]).toEqual([200, 'heard']);
    expect((await fetch(address.replace('/callback', '/files/a'))).status).toBe(401);

    await seeing(page.getByText('The address was copied to the clipboard.'), () =>
      callback.action('Copy Address'),
    );

    await palette.run('Pincer: Copy MCP Client Setup');
    await notifications.waitFor('The setup of an MCP client was copied to the clipboard');
    const mcp = readSetup(await pasted(page));
    expect(new URL(mcp.url).origin).toBe(new URL(address).origin);
    expect(await askMcp(mcp)).toBe(200);
    await palette.run('Pincer: Revoke MCP Client Token');
    await notifications.waitFor('MCP clients can no longer use the gateway.');
    expect(await askMcp(mcp)).toBe(401);

    await tree.row('Addresses').action('Show Gateway Requests');
    await editors.waitForActive('Gateway Requests');
    await editors.waitForText(/GET\s+\/callback\s+200/u);
    await editors.waitForText(/GET\s+\/files\/a\s+401/u);
    expect(await editors.text()).not.toContain('not-to-be-logged');
    await screenshot('addresses-log');

    await tree.row('Addresses').menu('Stop Gateway');
    await callback.waitForText('registered, not served: gateway off');
    await notifications.clearAll();
    await palette.run('Pincer: Reload All Plugins');
    await callback.waitForText('registered, not served');
    // It was asked about, and was on since.
    expect(await notifications.countToasts(offer)).toBe(0);
  });
});
