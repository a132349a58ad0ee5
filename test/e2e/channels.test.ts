import { expect } from 'vitest';
import { postPluginFiles, startPostOffice } from '../builders/postOffice.ts';
import { textAnswer, toolCallAnswer } from '../builders/scriptedModelServer.ts';
import { startTelegramServer } from '../builders/telegramServer.ts';
import { atSize, inTheme } from './driver/looks.ts';
import { clickOnce, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

it('lets a sender of a channel in, answers it, refuses what would change a file, and lets the user take over', async ({
  withWorkbench,
  server,
}) => {
  const office = await startPostOffice();
  const config = { channels: { post: { enabled: true, url: office.baseUrl } } };
  const options = {
    workspace: { files: { 'tides.md': 'It turns at six.\n' } },
    trust: 'trusted',
    home: { ...homeWithModel(server.baseUrl, config), ...postPluginFiles },
    leaves: 'the Channels view, and a sender that was let in',
  } as const;
  server.script(
    toolCallAnswer([{ name: 'read', arguments: { path: 'tides.md' } }]),
    textAnswer('The tide turns at six.'),
    toolCallAnswer([{ name: 'write', arguments: { path: 'tides.md', content: 'never\n' } }]),
    textAnswer('I may not change it.'),
  );
  const ann = { from: '42', name: 'Ann' };
  await withWorkbench('channels', options, async (bench) => {
    const { chat, editors, page, palette, notifications, views, screenshot } = bench;
    const box = page.locator('.quick-input-widget');
    const tree = views.tree('Channels');
    await views.open('Pincer', 'Channels');
    await palette.run('Pincer: Show Channels');
    await tree.row('Post').waitForText('running');
    await screenshot('channels-running');

    office.write({ ...ann, id: '1', text: 'When does the tide turn?' });
    const offer = 'Somebody wants to talk with the agent over Post.';
    await notifications.waitFor(offer);
    expect(await notifications.buttons(offer)).toEqual(['Approve', 'Deny', 'Show Channels']);
    const pairing = tree.rowWith(/Ann.*Post/u);
    await pairing.locator.waitFor();
    await until('the sender to be told its code', async () =>
      Promise.resolve(office.sentTo('post:42').length === 1),
    );
    const [, code = ''] = /^Ann ([A-Z2-9]{8})/u.exec(await pairing.text()) ?? [];
    expect(office.sentTo('post:42')[0]).toContain(code);
    await screenshot('channels-pairing');
    await pairing.action('Approve Sender');
    await notifications.waitFor('Ann is approved: they can ask and read, but change nothing.');
    await pairing.locator.waitFor({ state: 'detached' });
    await notifications.clearAll();

    office.write({ ...ann, id: '2', text: 'When does the tide turn?' });
    const conversation = tree.row('Ann');
    await conversation.waitForText(/new/u);
    await until('the answer to be sent', async () =>
      Promise.resolve(office.sentTo('post:42').includes('The tide turns at six.')),
    );
    office.write({ ...ann, id: '3', text: 'Then change it to never' });
    await until('the refusal to be sent', async () =>
      Promise.resolve(office.sentTo('post:42').includes('I may not change it.')),
    );
    expect(await bench.read('tides.md')).toBe('It turns at six.\n');
    await screenshot('channels-light');
    await inTheme(bench, 'Dark Modern', async () => await screenshot('channels-dark'));
    await atSize(page, { width: 700, height: 800 }, async () => await screenshot('channels-narrow'));
    await conversation.click();
    await editors.rendered.getByText('The tide turns at six.').first().waitFor();
    await screenshot('channels-read');

    await conversation.action('Take Over Conversation');
    await conversation.waitForText('you answer');
    office.write({ ...ann, id: '4', text: 'Is anybody there?' });
    await conversation.waitForText('Is anybody there?');
    // The open conversation follows what comes and what is answered.
    await editors.rendered.getByText('Is anybody there?').first().waitFor();
    await conversation.action('Answer Conversation…');
    await box.getByText('Answer Ann').waitFor();
    await screenshot('channels-answer');
    await palette.enter('A person is.');
    await until('the words to be sent', async () =>
      Promise.resolve(office.sentTo('post:42').at(-1) === 'A person is.'),
    );
    await editors.rendered.getByText('A person is.').first().waitFor();
    await screenshot('channels-follows');
    await conversation.action('Hand Conversation Back to the Agent');
    await conversation.waitForText(/^(?!.*you answer)/u);
    await conversation.menu('Mute Conversation');
    await conversation.waitForText('muted');
    await palette.run('Pincer: Unmute Conversation');
    await palette.pick('Ann');
    await conversation.waitForText(/^(?!.*muted)/u);
    expect(await chat.messages()).toEqual([]);
  });
  await office.close();
});

it('telegram: a sender is let in over a notification, has a question answered and a write refused', async ({
  withWorkbench,
  server,
}) => {
  const telegram = await startTelegramServer();
  const { token: botToken, apiRoot } = telegram;
  const config = {
    plugins: { entries: { telegram: { enabled: true } } },
    channels: { telegram: { enabled: true, botToken, apiRoot, pollSeconds: 1 } },
  };
  const options = {
    workspace: { files: { 'tides.md': 'It turns at six.\n' } },
    trust: 'trusted',
    home: homeWithModel(server.baseUrl, config),
    leaves: 'the Channels view, and a sender that was let in',
  } as const;
  server.script(
    toolCallAnswer([{ name: 'read', arguments: { path: 'tides.md' } }]),
    textAnswer('The tide turns at **six**.'),
    toolCallAnswer([{ name: 'write', arguments: { path: 'tides.md', content: 'never\n' } }]),
    textAnswer('I may not change it.'),
  );
  const sent = (words: string): Promise<unknown> =>
    telegram.called('sendMessage', ({ text }) => String(text).includes(words));
  await withWorkbench('telegram', options, async (bench) => {
    const { editors, notifications, palette, views, screenshot } = bench;
    const tree = views.tree('Channels');
    await views.open('Pincer', 'Channels');
    await palette.run('Pincer: Show Channels');
    await tree.row('Telegram').waitForText('running');
    telegram.write({ text: 'When does the tide turn?' });
    const offer = 'Somebody wants to talk with the agent over Telegram.';
    await notifications.waitFor(offer);
    await sent('Give this code to the owner');
    await screenshot('telegram-pairing');
    await tree.rowWith(/Ada.*Telegram/u).action('Approve Sender');
    await notifications.waitFor('Ada is approved: they can ask and read, but change nothing.');
    await notifications.clearAll();
    telegram.write({ text: 'When does the tide turn?' });
    await sent('The tide turns at <b>six</b>.');
    telegram.write({ text: 'Then change it to never' });
    await sent('I may not change it.');
    expect(await bench.read('tides.md')).toBe('It turns at six.\n');
    await tree.row('Ada').click();
    await editors.rendered.getByText('I may not change it.').first().waitFor();
    await screenshot('telegram-read');
  });
  await telegram.close();
});

it('says how to begin while there is no channel, and what a channel lacks once its plugin is on', async ({
  withWorkbench,
  server,
}) => {
  const options = {
    workspace: { files: { 'README.md': '# Hi\n' } },
    trust: 'trusted',
    home: homeWithModel(server.baseUrl),
    leaves: 'the Channels view, and a plugin that is on',
  } as const;
  await withWorkbench('channels-empty', options, async ({ page, palette, views, screenshot }) => {
    await views.open('Pincer', 'Channels');
    await palette.run('Pincer: Show Channels');
    const tree = views.tree('Channels');
    await tree.waitForWelcome('No channel is enabled.');
    await screenshot('channels-empty');
    const pane = page.locator('.sidebar .welcome-view-content');
    await clickOnce(pane.getByRole('button', { name: 'Enable Telegram' }));
    await tree.row('Telegram').waitForText('it is off');
    await screenshot('channels-off');
  });
});
