import { expect } from 'vitest';
import {
  halfToolCallAnswer,
  hangingAnswer,
  rawAnswer,
  startScriptedModelServer,
  textAnswer,
  toolCallAnswer,
  type ScriptedModelServer,
} from '../builders/scriptedModelServer.ts';
import { clickOnce } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = { files: { 'README.md': '# Boat\n', 'log.md': 'day one\n' } };

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

it('stops the model at once when the user cancels in the middle of a stream', async ({ withWorkbench }) => {
  server.script(hangingAnswer('The tide ', 'turns at '), textAnswer('Six.'));
  await withWorkbench(
    'cancel',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async ({ chat, screenshot }) => {
      await chat.send('When does the tide turn?');
      await chat.waitForText('turns at');
      await screenshot('e-streaming');
      await chat.cancel();
      await server.waitForAbandoned(1);
      await screenshot('e-cancelled');

      await chat.send('And now?');
      await chat.waitForAnswer(/Six\./u);
      const sent = JSON.stringify(server.requests[1]?.body?.messages);
      expect(sent).toContain('turns at');
    },
  );
});

it('goes on with the session after the window was reloaded', async ({ withWorkbench }) => {
  server.script(textAnswer('Noted: the anchor is red.'), textAnswer('It is red.'));
  await withWorkbench(
    'reload',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async (bench) => {
      await bench.chat.send('Remember that the anchor is red');
      await bench.chat.waitForAnswer(/Noted/u);
      await bench.reload();
      await bench.chat.send('What colour is it?');
      await bench.chat.waitForAnswer(/It is red/u);
      await bench.screenshot('g-session-after-reload');
      const sent = JSON.stringify(server.requests[1]?.body?.messages);
      expect(sent).toContain('Remember that the anchor is red');
      expect(sent).toContain('Noted: the anchor is red.');
    },
  );
});

it('offers to resume a turn that a reload cut off, and does', async ({ withWorkbench }) => {
  server.script(hangingAnswer('Looking at the log'), textAnswer('Resumed and done.'));
  await withWorkbench(
    'resume',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async (bench) => {
      await bench.chat.send('Check the log');
      await bench.chat.waitForText('Looking');
      await bench.reload();
      await bench.notifications.waitFor('was interrupted');
      await bench.screenshot('g-resume-offered');
      await bench.notifications.click('was interrupted', 'Resume');
      await bench.page.locator('.interactive-response').getByText('Resumed and done.').waitFor();
      expect(JSON.stringify(server.requests[1]?.body?.messages)).toContain('Check the log');
      await bench.screenshot('g-resumed');
    },
  );
});

it('says what to do when a model answers nonsense, half a tool call, or is not there', async ({
  withWorkbench,
}) => {
  const server = await startScriptedModelServer();
  server.script(
    rawAnswer('<html>proxy error</html>', 'text/html'),
    textAnswer('Better.'),
    halfToolCallAnswer('write'),
  );
  await withWorkbench(
    'bad-model',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async ({ chat, page, screenshot, read }) => {
      await chat.send('one');
      await chat.waitForAnswer(/not .*(chat|JSON|answer)|proxy error/iu);
      await screenshot('bad-model-hint');
      await chat.click('Send the message again');
      await page.locator('.interactive-response').getByText('Better.').waitFor();
      await expect.poll(() => chat.messages()).toEqual(['@pincer one', '@pincer one']);
      // The panel shows it twice; the model reads it once.
      const users = server.requests[1]?.body?.messages.filter(({ role }) => role === 'user');
      expect(users).toHaveLength(1);
      expect(JSON.stringify(users)).toContain('one');
      await chat.send('two');
      await chat.waitForAnswer(/tool call|broke off|middle|ended/iu);
      expect(await read('no')).toBeUndefined();
      await server.dispose();
      await chat.send('three');
      await chat.waitForAnswer(/127\.0\.0\.1/u);
      await screenshot('bad-model');
      await chat.click('Try again');
      const said = async (): Promise<number> =>
        (await chat.messages()).filter((text) => text === '@pincer three').length;
      await expect.poll(said).toBe(2);
    },
  );
});

it('starts over with /new: nothing said before is sent again, not even after a reload', async ({
  withWorkbench,
}) => {
  server.script(textAnswer('One.'), textAnswer('Two.'));
  await withWorkbench(
    'new-session',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async (bench) => {
      await bench.chat.send('the first secret');
      await bench.chat.waitForAnswer(/One/u);
      await bench.chat.send('/new');
      await bench.chat.waitForAnswer(/New session/u);
      await bench.reload();
      await bench.chat.send('hello again');
      await bench.chat.waitForAnswer(/Two/u);
      expect(JSON.stringify(server.requests[1]?.body?.messages)).not.toContain('the first secret');
    },
  );
});

it('starts over with /new also where the window is reloaded before the panel has stored that', async ({
  withWorkbench,
}) => {
  server.script(textAnswer('One.'), textAnswer('Two.'), textAnswer('Three.'));
  await withWorkbench(
    'new-session-lost',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async (bench) => {
      await bench.chat.send('the second secret');
      await bench.chat.waitForAnswer(/One/u);
      await bench.chatIsStored();
      await bench.chat.send('/new');
      await bench.chat.waitForAnswer(/New session/u);
      await bench.reload('at once');
      await expect.poll(() => bench.chat.messages()).toEqual([expect.stringContaining('the second secret')]);
      await bench.chat.send('hello again');
      await bench.chat.waitForAnswer(/Two/u);
      expect(JSON.stringify(server.requests[1]?.body?.messages)).not.toContain('the second secret');
      await bench.chat.send('and again');
      await bench.chat.waitForAnswer(/Three/u);
      expect(JSON.stringify(server.requests[2]?.body?.messages)).toContain('hello again');
    },
  );
});

it('sends an attached file along with the message', async ({ withWorkbench }) => {
  server.script(textAnswer('Read.'));
  await withWorkbench(
    'references',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async (bench) => {
      // Quick open also has files of that name that an earlier test had open.
      await bench.editors.open('log.md');
      // The panel suggests the open file; a click attaches it.
      await clickOnce(bench.page.locator('.chat-input-container').getByText('log.md'));
      await bench.chat.send('What is in it?');
      await bench.chat.waitForAnswer(/Read/u);
      expect(JSON.stringify(server.requests[0]?.body?.messages)).toContain('day one');
      await bench.screenshot('attached-file');
    },
  );
});

it('carries out a tool call of the model without approval when it only reads', async ({ withWorkbench }) => {
  server.script(
    toolCallAnswer([{ name: 'read', arguments: { path: 'log.md' } }]),
    textAnswer('Day one it is.'),
  );
  await withWorkbench(
    'read-only',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async ({ chat }) => {
      await chat.send('Read the log');
      await chat.waitForAnswer(/Day one it is/u);
      expect(JSON.stringify(server.requests[1]?.body?.messages.at(-1))).toContain('day one');
    },
  );
});
