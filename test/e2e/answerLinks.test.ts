import { expect } from 'vitest';
import { textAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { clickOnce, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = {
  files: {
    'docs/guide.md': '# Guide\n\nRow east.\nThen north.\nThen home.\nAnd rest.\n',
    'log.md': 'day one\n',
  },
};

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

it('links lead to files of the workspace, a command that nobody has to those that there are, and /tool leaves the model named', async ({
  withWorkbench,
}) => {
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('answer-links', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, editors, page, screenshot } = bench;
    const answer = page.locator('.interactive-response').last();
    server.script(
      textAnswer('Read [the guide](docs/guide.md#L3), not [this one](docs/none.md) nor log.md. ', 'Aye.'),
    );
    await chat.send('What shall I read?');
    await chat.waitForAnswer(/Aye\./u, 'this one');
    await screenshot('k-links');
    // The panel names a file by its name, whatever a link says.
    await clickOnce(answer.locator('.chat-inline-anchor-widget').filter({ hasText: 'guide.md:3' }));
    await editors.waitForText('Row east.');

    // Several lines are selected, all of them.
    server.script(textAnswer('It stands in `docs/guide.md:3-5`.'));
    await chat.send('Where is the way home?');
    await chat.waitForAnswer(/It stands in/u);
    await clickOnce(answer.locator('.chat-inline-anchor-widget').filter({ hasText: 'guide.md:3-5' }));
    await page.locator('.statusbar-item').getByText('Ln 5, Col 11 (32 selected)').waitFor();
    await screenshot('k-lines-selected');

    const status = page.locator('.statusbar-item[id*="pincer.status"]');
    await chat.send('/tool read {"path": "log.md"}');
    await chat.waitForAnswer(/day one/u);
    await expect.poll(() => status.innerText()).toContain('· Scripted');
    await screenshot('k-tool-status');

    await chat.send('/stauts now');
    await chat.waitForAnswer(/There is no command \/stauts/u);
    await screenshot('k-unknown-command');
    await clickOnce(answer.getByRole('link', { name: '/model', exact: true }));
    const input = page.locator('.interactive-session .chat-input-container .monaco-editor').first();
    await until('the command in the input', async () =>
      (await input.innerText()).replace(/\u00A0/gu, ' ').includes('/model'),
    );
    await screenshot('k-command-in-input');
  });
});
