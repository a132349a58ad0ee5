import { expect } from 'vitest';
import { answerDialog } from './driver/dialogs.ts';
import { it } from './withWorkbench.ts';

/** Says something when a chat starts over; its text tries to be a link and a button. */
const greet = {
  '.pincer/hooks/greet/HOOK.md': `---
name: greet
description: Says goodbye to the chat that is left.
metadata: { 'openclaw': { 'emoji': '👋', 'events': ['command:new', 'command:reset'] } }
---
`,
  '.pincer/hooks/greet/handler.js': `
module.exports = async (event) => {
  event.messages.push('Goodbye after ' + event.action + ', [press here](command:pincer.log.show) **now**.');
};
`,
};

it('lists a workspace hook, enables it after saying what it does, and shows its text in the answer of /new and /reset', async ({
  withWorkbench,
}) => {
  await withWorkbench(
    'operator-hook',
    { workspace: { files: { 'README.md': '# Hi\n', ...greet } }, trust: 'trusted' },
    async (bench) => {
      const { chat, views, page, screenshot } = bench;
      const tree = views.tree('Plugins');
      await views.open('Pincer', 'Plugins');
      await tree.row('Operator Hooks').waitForText('1');
      const row = tree.row('👋 greet');
      await row.waitForText('workspace hook (disabled by default)');
      await chat.send('read README.md');
      await chat.waitForAnswer(/Hi/u);
      await chat.send('/new');
      expect(await chat.waitForAnswer(/New session/u)).not.toContain('Goodbye');
      await screenshot('hook-waits-for-consent');

      await row.action('Enable Operator Hook');
      const dialog = page.locator('.monaco-dialog-box');
      await dialog.getByText('Runs on: command:new, command:reset').waitFor();
      await screenshot('hook-consent');
      await answerDialog(page, 'Enable');
      await row.waitForText(/greeton$/u);
      await row.expand();
      await tree.row('command:new').locator.waitFor();

      await chat.send('read README.md');
      await chat.waitForAnswer(/Hi/u);
      await chat.send('/new');
      await chat.waitForAnswer(/Goodbye after new/u, '[press here](command:pincer.log.show) **now**');
      await screenshot('hook-speaks-on-new');

      await chat.send('read README.md');
      await chat.waitForAnswer(/Hi/u);
      await chat.send('/reset');
      await chat.waitForAnswer(/Goodbye after reset/u);

      await row.action('Disable Operator Hook');
      await row.waitForText('disabled in config');
      await screenshot('hook-disabled');
      await row.action('Open HOOK.md');
      await page.locator('.tab').getByText('HOOK.md').waitFor();
    },
  );
});
