import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, onTestFinished } from 'vitest';

import { textAnswer } from '../builders/scriptedModelServer.ts';
import { answerDialog, takeEntry } from './driver/dialogs.ts';
import { clickOnce, tryMs } from './driver/until.ts';
import { it } from './withWorkbench.ts';

/** A service that gives a token. */
async function startService(): Promise<string> {
  const server = createServer((_request, response) => {
    response.end(JSON.stringify({ token: 'acme-token' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const home = (service: string, models: string): Readonly<Record<string, string>> => ({
  'config.jsonc': JSON.stringify({ model: 'acme/one' }),
  'plugins/acme/openclaw.plugin.json': JSON.stringify({ id: 'acme', configSchema: { type: 'object' } }),
  'plugins/acme/index.js': `
module.exports = (api) => api.registerProvider({
  id: 'acme', label: 'Acme', envVars: ['ACME_API_KEY'],
  auth: [{
    id: 'device', label: 'Device code', kind: 'device_code',
    async run(ctx) {
      const plan = await ctx.prompter.select({ message: 'Which plan do you have?', options: [{ value: 'free', label: 'Free $(key)' }, { value: 'team', label: 'Team', hint: 'Paid by your company' }] });
      await ctx.prompter.deviceCode({ title: 'Enter this code', code: 'WDJB-MJHT' });
      await ctx.openUrl('https://service.example/device');
      const { token } = await (await fetch('${service}/token', { signal: ctx.signal })).json();
      return { profiles: [{ profileId: 'acme:ada', credential: { type: 'token', provider: 'acme', email: 'ada@acme.example', token: plan + '-' + token } }] };
    },
  }],
  models: { baseUrl: '${models}', models: [{ id: 'one', name: 'Acme One' }] },
});
`,
});

it("signs in to a plugin's model provider by a device code, uses the token, and signs out in the Accounts menu", async ({
  withWorkbench,
  server,
}) => {
  const service = await startService();
  server.answerAll(() => textAnswer('Ahoy.'));
  const options = {
    workspace: { files: { 'README.md': 'A boat.\n' } },
    trust: 'trusted',
    home: home(service, server.baseUrl),
  } as const;
  await withWorkbench('sign-in', options, async ({ chat, notifications, page, palette, screenshot }) => {
    await palette.run('Pincer: Sign In to Model Provider…');
    await screenshot('si-list');
    await palette.pick('Acme');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('Plugin acme: Acme, Device code.').waitFor();
    await screenshot('si-consent');
    await answerDialog(page, 'Allow');
    await page.getByPlaceholder('Which plan do you have?').waitFor();
    await screenshot('si-plan');
    await expect.poll(() => palette.entries()).toEqual(['Free $ (key)', 'Team']);
    await palette.pick('Team');
    await notifications.waitFor('WDJB-MJHT');
    await dialog.getByText('https://service.example/device').waitFor();
    await screenshot('si-open');
    const opened = page.context().waitForEvent('page');
    await clickOnce(dialog.getByRole('button', { name: 'Open' }).first());
    await (await opened).close();
    await notifications.waitFor('You are signed in to Acme as ada@acme.example.');
    await screenshot('si-done');
    await chat.send('hello');
    await chat.waitForAnswer(/Ahoy/u);
    expect(server.requests.at(-1)?.headers['authorization']).toBe('Bearer team-acme-token');

    await takeEntry(page, page.getByRole('menuitem', { name: 'Sign Out' }), async () => {
      await page.locator('.activitybar [aria-label^="Accounts"]').first().click({ timeout: tryMs });
      await screenshot('si-accounts');
      await page.getByRole('menuitem', { name: /ada@acme\.example/u }).hover({ timeout: tryMs });
      await screenshot('si-account-menu');
    });
    await answerDialog(page, 'Sign Out');
    await chat.send('hello again');
    await chat.waitForAnswer(/Ahoy/u);
    // A server of this machine may do without a key.
    expect(server.requests).toHaveLength(2);
    expect(server.requests.at(-1)?.headers['authorization'] ?? '').not.toContain('acme-token');
  });
});

it('shows the texts of a sign-in without links, below the name of the plugin', async ({ withWorkbench }) => {
  const link = '[Go on](command:workbench.action.showAboutDialog)';
  const plugin = `
module.exports = (api) => api.registerProvider({
  id: 'acme', label: ${JSON.stringify(`${link} ${'\uff37'.repeat(20)}`)},
  auth: [{ id: 'web', label: 'Web', kind: 'oauth', async run(ctx) {
    await ctx.prompter.text({ message: 'Name? ${link}', initialValue: 'Ada', validate: () => 'No. ${link}' });
  } }],
  models: { baseUrl: 'http://127.0.0.1:9/v1', models: [{ id: 'one', name: 'Acme One' }] },
});`;
  const options = {
    workspace: { files: { 'README.md': 'A boat.\n' } },
    trust: 'trusted',
    home: { ...home('', ''), 'config.jsonc': '{}', 'plugins/acme/index.js': plugin },
  } as const;
  await withWorkbench('sign-in-links', options, async ({ page, palette }) => {
    await palette.run('Pincer: Sign In to Model Provider…');
    await clickOnce(
      page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'Plugin acme' }).first(),
    );
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('Plugin acme: [Go on]').waitFor();
    await answerDialog(page, 'Allow');
    const box = page.locator('.quick-input-widget');
    for (const text of ['Name? [Go on] (command:', 'No. [Go on] (command:']) {
      await box.getByText(text).waitFor();
      expect(await box.locator('.quick-input-message a').count()).toBe(0);
      // Only what is typed is validated.
      await box.locator('input.input').press('End');
      await page.keyboard.type('x');
    }
    expect(await box.locator('.quick-input-title').textContent()).toMatch(/^Plugin acme: \[Go on\] \(/u);
    const notification = page.locator('.notification-list-item-message');
    await notification.getByText('Plugin acme: [Go on] (').waitFor();
    expect(await notification.locator('a').count()).toBe(0);
  });
});
