import { expect } from 'vitest';
import { textAnswer, toolCallAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { clickOnce, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

const workspace = { files: { 'README.md': '# Hi\n' } };

it('shows a command that runs in the background in a terminal, which takes input and Ctrl+C; closing it ends nothing', async ({
  withWorkbench,
}) => {
  server.script(
    toolCallAnswer([
      { name: 'exec', arguments: { command: 'echo ahoy', background: true } },
      { name: 'exec', arguments: { command: 'cat', background: true } },
    ]),
    textAnswer('It is running.'),
  );
  const home = homeWithModel(server.baseUrl, { tools: { exec: { allow: ['cat', 'echo ahoy'] } } });
  await withWorkbench('running-command', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, palette, page, screenshot } = bench;
    const rows = page.locator('.terminal-wrapper.active .xterm-rows');
    const terminal = page.locator('.terminal-widget-container');
    const shown = async (): Promise<string> => (await rows.innerText()).replaceAll('\u00A0', ' ');
    const untilShown = (text: string, times = 1): Promise<unknown> =>
      until(`the terminal to show ${text}`, async () => (await shown()).split(text).length > times, {
        seen: shown,
      });

    await chat.send('Run cat');
    await chat.waitForAnswer(/It is running\./u);
    const result = JSON.stringify(server.requests[1]?.body?.messages.at(-1));
    expect(result).toMatch(/Running in the background as [a-z]+-[a-z]+, on this machine, without a shell/u);

    const status = page.locator('.statusbar-item[id*="pincer.jobs"]').filter({ hasText: 'cat' });
    await status.waitFor();
    await screenshot('running-command-status');
    // It opens at once: what has ended is in a list of its own.
    await clickOnce(status);
    await untilShown('Ctrl+C asks it to stop');
    await terminal.click();
    await page.keyboard.type('hello there');
    await page.keyboard.press('Enter');
    // Once as typed, once as cat says it.
    await untilShown('hello there', 2);
    await screenshot('running-command');

    await palette.run('Terminal: Kill the Active Terminal Instance');
    await rows.waitFor({ state: 'detached' });
    await palette.run('Pincer: Show Running Command');
    await untilShown('hello there');
    await terminal.click();
    await page.keyboard.press('Control+c');
    await untilShown('Ended by SIGINT.');
    await status.waitFor({ state: 'hidden' });
    await screenshot('running-command-ended');
    await palette.run('Pincer: List Commands…');
    const echo = page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'echo ahoy' });
    await echo.waitFor();
    await screenshot('running-command-list');
    await clickOnce(echo);
    await untilShown('Ended with exit code 0.');
    // Each link of the answer opens its own.
    await chat.click('Show');
    await untilShown('Ended by SIGINT.');
  });
});
