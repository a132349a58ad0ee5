import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../builders/openTestRuntime.ts';
import { startTelegramServer, type TelegramServer } from '../../builders/telegramServer.ts';
import { addModel, calls } from '../agents/agentWorld.ts';
import { until } from '../../builders/until.ts';

let server: TelegramServer;
beforeEach(async () => {
  server = await startTelegramServer();
});
afterEach(() => server.close());

/** The bundled plugin as it ships, switched on, against a server that speaks the Bot API. */
async function openTelegram(more: object = {}): Promise<TestRuntime> {
  const world = await openTestRuntime({
    files: { 'log.md': 'day one\n' },
    config: {
      model: 'replay/telegram',
      plugins: { entries: { telegram: { enabled: true } } },
      channels: {
        telegram: { enabled: true, botToken: server.token, apiRoot: server.apiRoot, pollSeconds: 1, ...more },
      },
    },
  });
  await world.runtime.channels.start();
  return world;
}

const said = (): readonly string[] =>
  server.calls.filter(({ method }) => method === 'sendMessage').map(({ params }) => String(params['text']));

it('telegram: a stranger gets a code, is let in by it, asks, is answered, and has nothing changed', async () => {
  await using world = await openTelegram();
  addModel(world, 'telegram', [
    { text: 'The log says **day one**.' },
    calls('write', { path: 'log.md', content: 'mine\n' }),
    { text: 'I can not write it.', expect: { toolResult: 'may change something' } },
  ]);
  server.write({ text: 'Hello?' });
  await until(() => expect(said()).toHaveLength(1));
  const [request] = await world.runtime.channels.pairings();
  expect(request).toMatchObject({ channel: 'telegram', senderId: '7', senderName: 'Ada' });
  expect(said()[0]).toContain(request?.code);
  await world.runtime.channels.approve(request?.code ?? '', 'sender');
  await until(() => expect(said().at(-1)).toContain('You have access now'));

  server.write({ text: 'What does the log say?' });
  await until(() => expect(said()).toContain('The log says <b>day one</b>.'));
  server.write({ text: 'Write it anew.' });
  await until(() => expect(said()).toContain('I can not write it.'));
  expect(await readFile(join(world.workspace, 'log.md'), 'utf8')).toBe('day one\n');
  expect(world.runtime.channels.list()).toMatchObject([
    { id: 'telegram', label: 'Telegram', state: 'running' },
  ]);
  const told = JSON.stringify([world.runtime.channels.list(), await world.runtime.channels.logs()]);
  expect(told).not.toContain(server.token);
});

it('telegram: a message that was taken over is not answered again after a restart', async () => {
  await using world = await openTelegram({ dmPolicy: 'allowlist', allowFrom: [7] });
  addModel(world, 'telegram', [{ text: 'First.' }, { text: 'Second.' }]);
  server.write({ text: 'one' });
  await until(() => expect(said()).toEqual(['First.']));
  await world.runtime.channels.restart('telegram', 'default');
  server.write({ text: 'two' });
  await until(() => expect(said()).toEqual(['First.', 'Second.']));
  expect(server.kept()).toBeLessThanOrEqual(1);
});

it('telegram: a group that is not named is not answered, one that is only where the bot is meant', async () => {
  await using world = await openTelegram({ groups: { '-55': {} } });
  addModel(world, 'telegram', [{ text: 'Here.' }]);
  const name = '@pincer_test_bot';
  const mention = { text: `${name} hi`, entities: [{ type: 'mention', offset: 0, length: name.length }] };
  server.write({ ...mention, chat: { id: -66, type: 'group', title: 'Others' } });
  server.write({ text: 'just talk', chat: { id: -55, type: 'group', title: 'Crew' } });
  server.write({ ...mention, chat: { id: -55, type: 'group', title: 'Crew' } });
  await until(() => expect(said()).toEqual(['Here.']));
  expect(server.calls.find(({ method }) => method === 'sendMessage')?.params).toMatchObject({ chat_id: -55 });
});

it('telegram: a file of somebody who is not let in is not even fetched', async () => {
  await using world = await openTelegram({
    groups: { '-55': { requireMention: false }, '-77': { enabled: false } },
    groupAllowFrom: [7],
  });
  const mallory = { id: 8, is_bot: false, first_name: 'Mallory' };
  addModel(world, 'telegram', [{ text: 'Crew.' }, { text: 'A picture.' }]);
  server.addFile('pic', new Uint8Array([1, 2, 3]));
  const photo = { photo: [{ file_id: 'pic', file_size: 3 }], caption: 'Look' };
  const fetched = (): number => server.calls.filter(({ method }) => method === 'getFile').length;
  server.write(photo);
  server.write({ ...photo, chat: { id: -66, type: 'group', title: 'Others' } });
  server.write({ ...photo, chat: { id: -77, type: 'group', title: 'Closed' } });
  server.write({ ...photo, from: mallory, chat: { id: -55, type: 'group', title: 'Crew' } });
  server.write({ text: 'Hello crew', chat: { id: -55, type: 'group', title: 'Crew' } });
  await until(() => expect(said()).toContain('Crew.'));
  expect(fetched()).toBe(0);
  const [request] = await world.runtime.channels.pairings();
  await world.runtime.channels.approve(request?.code ?? '', 'sender');
  server.write(photo);
  await until(() => expect(said()).toContain('A picture.'));
  expect(fetched()).toBe(1);
});
