import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTelegramServer, type TelegramServer } from '../../test/builders/telegramServer.ts';
import { apiRootOf, problemOf, resolveAccount } from './account.ts';
import { createTelegramChannel, type StartContext } from './index.ts';
import { createTelegramApi } from './telegramApi.ts';
import { toHtml } from './toHtml.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Dispatch {
  readonly ctx: Fields;
  readonly dispatcherOptions: {
    deliver(payload: { readonly text?: string }): Promise<void>;
    readonly typingCallbacks: { onReplyStart(): void; onCleanup(): void };
  };
  readonly replyOptions: { readonly turnAdoptionLifecycle: { onAdopted(): void } };
}

let server: TelegramServer;
let folder: string;
const stops: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  server = await startTelegramServer();
  folder = await mkdtemp(join(tmpdir(), 'pincer-telegram-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const configOf = (more: Fields = {}): Fields => ({
  channels: { telegram: { botToken: server.token, apiRoot: server.apiRoot, pollSeconds: 1, ...more } },
});

/** Starts the account as a host does, with what the host does with a message. */
function start(dispatch: (request: Dispatch) => Promise<void>, more: Fields = {}) {
  const cfg = configOf(more);
  const logs: string[] = [];
  const statuses: Fields[] = [];
  const stop = new AbortController();
  const channelRuntime = {
    routing: {
      resolveAgentRoute: ({ peer }: Fields) => ({
        agentId: 'main',
        sessionKey: `agent:main:telegram:${(peer as { id: string }).id}`,
      }),
    },
    reply: {
      finalizeInboundContext: (context: Fields) => context,
      dispatchReplyWithBufferedBlockDispatcher: (request: unknown) => dispatch(request as Dispatch),
    },
    pairing: { readAllowFromStore: () => Promise.resolve(['7']) },
    media: {
      async saveMediaBuffer(bytes: Uint8Array) {
        const path = join(folder, 'kept.bin');
        await writeFile(path, bytes);
        return { path };
      },
    },
  };
  const channel = createTelegramChannel(() => join(folder, 'state'));
  const context: StartContext = {
    cfg,
    accountId: 'default',
    account: resolveAccount(cfg),
    abortSignal: stop.signal,
    log: { info: (text) => logs.push(text), warn: (text) => logs.push(text) },
    channelRuntime,
    getStatus: () => statuses.at(-1) ?? {},
    setStatus: (next) => void statuses.push(next),
  };
  const ended = channel.gateway.startAccount(context);
  ended.catch(() => undefined);
  const end = async (): Promise<void> => {
    stop.abort();
    await ended.catch(() => undefined);
  };
  stops.push(end);
  return { channel, cfg, logs, statuses, ended, end };
}

/** Takes every message over and answers with what `answer` says. */
const answering =
  (answer: (ctx: Fields) => string, seen: Fields[] = []) =>
  async ({ ctx, dispatcherOptions, replyOptions }: Dispatch): Promise<void> => {
    seen.push(ctx);
    replyOptions.turnAdoptionLifecycle.onAdopted();
    dispatcherOptions.typingCallbacks.onReplyStart();
    await dispatcherOptions.deliver({ text: answer(ctx) });
    dispatcherOptions.typingCallbacks.onCleanup();
  };

describe('the telegram channel', () => {
  it('brings a message and sends the answer, with typing before it', async () => {
    const seen: Fields[] = [];
    const { statuses } = start(answering(() => 'Hello **Ada**', seen));
    server.write({ text: 'Hi' });
    const { params } = await server.called('sendMessage');
    expect(params).toMatchObject({ chat_id: 7, text: 'Hello <b>Ada</b>', parse_mode: 'HTML' });
    expect(server.calls.map(({ method }) => method)).toContain('sendChatAction');
    expect(seen[0]).toMatchObject({
      RawBody: 'Hi',
      SenderId: '7',
      SenderName: 'Ada',
      ChatType: 'direct',
      From: 'telegram:7',
      MessageSid: '7:1',
    });
    expect(statuses.at(-1)).toMatchObject({ connected: true, lastError: null });
  });

  it('acknowledges a message only once the host has it, and goes on there after a restart', async () => {
    let tries = 0;
    const first = start(() => {
      tries += 1;
      return Promise.reject(new Error('the disk is full'));
    });
    server.write({ text: 'keep me' });
    await expect.poll(() => tries).toBeGreaterThan(0);
    await first.end();
    expect(server.kept()).toBe(1);
    expect(server.offsets.every((offset) => offset === undefined)).toBe(true);

    const seen: Fields[] = [];
    const second = start(answering(() => 'ok', seen));
    await server.called('sendMessage');
    await expect.poll(() => server.offsets.at(-1)).toBe(2);
    await second.end();
    expect(seen.map(({ RawBody }) => RawBody)).toEqual(['keep me']);
    const [file = ''] = await readdir(join(folder, 'state'));
    expect(await readFile(join(folder, 'state', file), 'utf8')).toBe('{"offset":2}\n');
    expect(file).not.toContain(server.token);

    start(answering(() => 'again', seen));
    await expect.poll(() => server.offsets.length).toBeGreaterThan(3);
    expect(server.offsets.at(-1)).toBe(2);
    expect(seen).toHaveLength(1);
  });

  it('shows what went wrong with the net until Telegram answers again', async () => {
    const { statuses } = start(answering(() => 'ok'));
    server.failNext('getUpdates', 500, 'Internal Server Error');
    server.write({ text: 'Hi' });
    await server.called('sendMessage');
    const errors = statuses.map(({ lastError }) => lastError);
    expect(errors).toContainEqual(expect.stringContaining('Internal Server Error'));
    expect(errors.at(-1)).toBeNull();
  });

  it('sends a piece as long as the host makes them in one message', async () => {
    const { outbound } = createTelegramChannel(() => folder);
    const text = 'words '.repeat(1_000).slice(0, outbound.textChunkLimit - 1);
    await outbound.sendText({ cfg: configOf(), to: '7', text });
    expect(server.calls.filter(({ method }) => method === 'sendMessage')).toHaveLength(1);
  });

  it('does not wait for the answer before it asks for the next message', async () => {
    const taken: string[] = [];
    start(async ({ ctx, replyOptions }) => {
      taken.push(String(ctx['RawBody']));
      replyOptions.turnAdoptionLifecycle.onAdopted();
      await new Promise(() => undefined);
    });
    server.write({ text: 'one' });
    server.write({ text: 'two' });
    await expect.poll(() => taken).toEqual(['one', 'two']);
  });

  it('leaves out what the host can not read, and goes on', async () => {
    const taken: string[] = [];
    start(({ ctx, replyOptions }) => {
      if (ctx['RawBody'] === 'odd') {
        return Promise.reject(Object.assign(new Error('odd'), { code: 'channel_message_invalid' }));
      }
      taken.push(String(ctx['RawBody']));
      replyOptions.turnAdoptionLifecycle.onAdopted();
      return Promise.resolve();
    });
    server.write({ text: 'odd' });
    server.write({ text: 'even' });
    await expect.poll(() => taken).toEqual(['even']);
  });

  it('tells groups, topics, mentions and replies apart', async () => {
    const seen: Fields[] = [];
    start(answering(() => 'ok', seen));
    const chat = { id: -55, type: 'supergroup', title: 'Crew' };
    const name = '@pincer_test_bot';
    server.write({
      chat,
      text: `${name} hi`,
      entities: [{ type: 'mention', offset: 0, length: name.length }],
    });
    server.write({ chat, text: `no ${name}` });
    server.write({ chat, text: 'in a topic', message_thread_id: 3, is_topic_message: true });
    server.write({
      chat,
      text: 'to you',
      reply_to_message: { message_id: 2, text: 'before', from: { id: 1000, first_name: 'Pincer' } },
    });
    server.write({ chat, from: { id: 8, is_bot: true, first_name: 'Other' }, text: 'a bot' });
    await expect.poll(() => seen.length).toBe(4);
    expect(seen.map(({ WasMentioned }) => WasMentioned)).toEqual([true, false, false, true]);
    expect(seen[0]).toMatchObject({
      ChatType: 'group',
      From: 'telegram:group:-55',
      ConversationLabel: 'Crew',
    });
    expect(seen[2]).toMatchObject({ MessageThreadId: '3', SessionKey: 'agent:main:telegram:-55:topic:3' });
    expect(seen[3]).toMatchObject({ ReplyToId: '2', ReplyToBody: 'before' });
    const inTopic = await server.called('sendMessage', (params) => params['message_thread_id'] === 3);
    expect(inTopic.params).toMatchObject({ chat_id: -55, reply_parameters: { message_id: 3 } });
  });

  it('says of what was forwarded, or made by a bot, whose words it is', async () => {
    const seen: Fields[] = [];
    start(answering(() => 'ok', seen));
    const eve = { id: 9, is_bot: false, first_name: 'Eve' };
    server.write({ text: 'a', forward_origin: { type: 'user', date: 1, sender_user: eve } });
    server.write({
      text: 'b',
      forward_origin: { type: 'hidden_user', date: 1, sender_user_name: 'Mallory' },
    });
    server.write({ text: 'c', via_bot: { id: 10, is_bot: true, first_name: 'Gifs' } });
    server.write({ text: 'd', forward_origin: { type: 'a new one', date: 1 } });
    server.write({ text: 'e' });
    await expect.poll(() => seen.length).toBe(5);
    const from = seen.map(({ ForwardedFrom }) => ForwardedFrom);
    expect(from).toEqual(['Eve', 'Mallory', 'Gifs', 'somebody', undefined]);
  });

  it('asks for a mention in groups unless the group says otherwise', () => {
    const channel = createTelegramChannel(() => folder);
    const cfg = configOf({ groups: { '-1': { requireMention: false, tools: { deny: ['exec'] } } } });
    expect(channel.groups.resolveRequireMention({ cfg, groupId: '-1:topic:4' })).toBe(false);
    expect(channel.groups.resolveRequireMention({ cfg, groupId: '-2' })).toBe(true);
    expect(channel.groups.resolveToolPolicy({ cfg, groupId: '-1' })).toEqual({ deny: ['exec'] });
  });

  it('keeps pictures up to the limit, and says what is too large', async () => {
    const seen: Fields[] = [];
    start(
      answering(() => 'ok', seen),
      { mediaMaxMb: 0.001 },
    );
    server.addFile('small', new Uint8Array([1, 2, 3]));
    server.addFile('lies', new Uint8Array(5_000));
    server.write({ photo: [{ file_id: 'small', file_size: 3 }], caption: 'Look' });
    server.write({ document: { file_id: 'large', file_size: 9_999, file_name: 'x.zip' } });
    server.write({ document: { file_id: 'lies', file_name: 'y.zip' } });
    await expect.poll(() => seen.length).toBe(3);
    expect(seen[0]).toMatchObject({ RawBody: 'Look\n[A picture was sent.]', MediaType: 'image/jpeg' });
    expect([...(await readFile(String(seen[0]?.['MediaPath'])))]).toEqual([1, 2, 3]);
    expect(seen[1]?.['RawBody']).toContain('too large');
    expect(seen[2]?.['RawBody']).toContain('could not be read');
    expect(seen[1]).not.toHaveProperty('MediaPath');
  });

  it('breaks a long answer below the limit, and sends words plain where marks can not be read', async () => {
    const text = Array.from({ length: 900 }, (_, n) => `line ${String(n)}`).join('\n');
    start(answering(({ RawBody }) => (RawBody === 'long' ? text : '<b>x')));
    server.write({ text: 'long' });
    await server.called('sendMessage', ({ text: sent }) => String(sent).includes('line 899'));
    const sent = server.calls
      .filter(({ method }) => method === 'sendMessage')
      .map(({ params }) => String(params['text']));
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.every((each) => each.length <= 4096)).toBe(true);
    expect(sent.join('\n')).toBe(text);
    server.failNext('sendMessage', 400, "Bad Request: can't parse entities");
    server.write({ text: 'marks' });
    const { params } = await server.called('sendMessage', ({ text: words }) => words === '<b>x');
    expect(params).not.toHaveProperty('parse_mode');
  });

  it('waits as long as Telegram says where there were too many', async () => {
    server.failNext('sendMessage', 429, 'Too Many Requests: retry after 7', { retry_after: 7 });
    const waits: number[] = [];
    const api = createTelegramApi(resolveAccount(configOf()), (ms) => {
      waits.push(ms);
      return Promise.resolve();
    });
    await api.call((bot) => bot.sendMessage(7, 'x'));
    expect(waits).toEqual([7_000]);
    expect(server.calls.map(({ method }) => method)).toEqual(['sendMessage!', 'sendMessage']);
  });

  it('ends with words for the user where another program has the bot, or the token is refused', async () => {
    server.failNext('getUpdates', 409, 'Conflict: terminated by other getUpdates request');
    await expect(start(answering(() => 'x')).ended).rejects.toThrow(
      'Another program asks for the messages of this bot',
    );
    const refused = start(
      answering(() => 'x'),
      { botToken: '2:wrong' },
    );
    await expect(refused.ended).rejects.toThrow('Telegram refuses the token');
    expect(JSON.stringify([refused.logs, refused.statuses])).not.toContain('2:wrong');
  });

  it('never tells the token, also where Telegram can not be reached', async () => {
    const api = createTelegramApi({ token: '3:secret-token', apiRoot: 'http://127.0.0.1:1' });
    const failed: unknown = await api.call((bot) => bot.getMe()).catch((error: unknown) => error);
    expect(String(failed)).toContain('can not be reached');
    expect(
      JSON.stringify([String(failed), failed, (failed as Error).stack, (failed as Error).cause]),
    ).not.toContain('secret-token');
  });

  it('sends the token to https and this machine alone', () => {
    expect(apiRootOf('https://api.telegram.org/')).toBe('https://api.telegram.org');
    expect(apiRootOf('http://127.0.0.1:80')).toBe('http://127.0.0.1');
    for (const root of [
      'http://example.com',
      'http://127.0.0.1.example.com',
      'https://a:b@x.org',
      'ftp://x',
      'x',
    ]) {
      expect(apiRootOf(root)).toBeUndefined();
    }
    expect(problemOf(resolveAccount({ channels: { telegram: { botToken: { secret: 'x' } } } }))).toContain(
      'botToken',
    );
    expect(problemOf(resolveAccount(configOf({ apiRoot: 'http://example.com' })))).toContain('apiRoot');
  });

  it('sends files of the folders that the host names, and no others', async () => {
    const { outbound } = createTelegramChannel(() => folder);
    await writeFile(join(folder, 'a.png'), 'png');
    await writeFile(join(folder, 'secret'), 'no');
    await symlink('/etc/hostname', join(folder, 'link.png'));
    const send = (mediaUrl: string): Promise<object> =>
      outbound.sendMedia({
        cfg: configOf(),
        to: 'telegram:7',
        text: 'Here',
        mediaUrl,
        mediaLocalRoots: [folder],
      });
    expect(await send(join(folder, 'a.png'))).toMatchObject({ channel: 'telegram', chatId: '7' });
    expect((await server.called('sendPhoto')).params).toMatchObject({ caption: 'Here' });
    await expect(send(join(folder, 'link.png'))).rejects.toThrow('outside');
    await expect(send('/etc/hostname')).rejects.toThrow('outside');
  });

  it('tells no text as a tag', () => {
    expect(toHtml('a < b & `x<y` **c**\n```js\n<script>\n```')).toBe(
      'a &lt; b &amp; <code>x&lt;y</code> <b>c</b>\n<pre>&lt;script&gt;</pre>',
    );
  });
});
