import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { addModel } from '../agents/agentWorld.ts';
import { openChannelWorld } from './channelWorld.ts';

/** A channel as a third party writes it: `ask` calls a member of `api.runtime.channel`, `receive` hands a message over in one of the ways. */
const kitPlugin = `module.exports = (api) => {
  const rt = api.runtime.channel;
  const kit = {
    delivered: [],
    ask: (path, ...args) => path.split('.').reduce((at, key) => at?.[key], rt)(...args),
    look: (path) => path.split('.').reduce((at, key) => at?.[key], rt),
    async receive(how, id) {
      const cfg = api.runtime.config.loadConfig();
      const route = rt.routing.resolveAgentRoute({ cfg, channel: 'kit', accountId: 'default', peer: { kind: 'direct', id: '42' } });
      const ctx = rt.inbound.buildContext({
        channel: 'kit', accountId: 'default', messageId: id, from: 'kit:42', sender: { id: '42', name: 'Ann' },
        conversation: { kind: 'direct' }, route: { routeSessionKey: route.sessionKey }, reply: { to: 'kit:42' },
        message: { rawBody: how, body: how },
      });
      const deliver = async ({ text }) => void kit.delivered.push(text);
      const turn = { channel: 'kit', cfg, ctxPayload: ctx, route, delivery: { deliver } };
      if (how === 'reply.dispatchReplyFromConfig')
        return await rt.reply.dispatchReplyFromConfig({ ctx, cfg, dispatcherOptions: { deliver } });
      if (how.endsWith('.run'))
        return await kit.ask(how, { raw: { id }, adapter: { ingest: () => ({ id }), resolveTurn: () => turn } });
      return await kit.ask(how, turn);
    },
  };
  api.registerChannel({ plugin: {
    id: 'kit', meta: { id: 'kit', label: 'Kit' }, capabilities: { chatTypes: ['direct', 'group'] },
    config: { listAccountIds: () => ['default'], resolveAccount: (cfg, accountId) => ({ accountId }), isConfigured: () => true },
    gateway: { startAccount: ({ abortSignal }) => { globalThis.kit = kit; return new Promise((end) => abortSignal.addEventListener('abort', end, { once: true })); } },
    outbound: { deliveryMode: 'direct', textChunkLimit: 300, sendText: async () => ({ channel: 'kit', messageId: 'm' }) },
  } });
};`;

interface Kit {
  readonly delivered: string[];
  readonly ask: (path: string, ...args: readonly unknown[]) => unknown;
  readonly look: (path: string) => unknown;
  readonly receive: (how: string, id: string) => Promise<unknown>;
}

async function openKit() {
  const world = await openChannelWorld({
    isRecorded: false,
    global: { kit: kitPlugin },
    config: {
      model: 'replay/post',
      messages: { groupChat: { mentionPatterns: ['helper'] } },
      channels: { kit: { enabled: true, textChunkLimit: 5, groups: { team: { requireMention: false } } } },
    },
  });
  const { kit } = globalThis as unknown as { readonly kit: Kit };
  return {
    world,
    ...kit,
    cfg: { channels: { kit: { textChunkLimit: 5, groups: { team: { requireMention: false } } } } },
  };
}

it('a channel splits texts, routes, asks who may write and what names the agent, and keeps what was sent', async () => {
  const { world, ask, cfg } = await openKit();
  await using _ = world;
  const long = Array.from({ length: 40 }, () => 'one').join(' ');
  for (const name of ['chunkText', 'chunkTextWithMode', 'chunkMarkdownText', 'chunkMarkdownTextWithMode']) {
    const pieces = ask(`text.${name}`, long, 100) as readonly string[];
    expect(pieces.map((piece) => piece.length <= 100)).toEqual([true, true]);
    expect(pieces.join(' ')).toBe(long);
  }
  expect(ask('text.resolveTextChunkLimit', cfg, 'kit', 'default', {})).toBe(5);
  expect(ask('reply.formatAgentEnvelope', { channel: 'kit', from: 'Ann', body: 'Hi' })).toBe('[kit Ann] Hi');

  const peer = { channel: 'kit', accountId: 'default', peer: { kind: 'direct', id: '42' } };
  const sessionKey = ask('routing.buildAgentSessionKey', peer);
  expect(sessionKey).toMatch(/^agent:main:kit:direct:42$/u);
  expect(ask('routing.resolveAgentRoute', peer)).toMatchObject({
    agentId: 'main',
    sessionKey,
    matchedBy: 'default',
  });

  const asked = await ask('pairing.upsertPairingRequest', {
    channel: 'kit',
    id: '42',
    meta: { name: 'Ann' },
  });
  const { code } = asked as { readonly code: string };
  expect(asked).toEqual({ code: expect.stringMatching(/./u) as string, created: true });
  expect(ask('pairing.buildPairingReply', { code })).toContain(code);
  await world.runtime.channels.approve(code, 'sender');
  expect(await ask('pairing.readAllowFromStore', { channel: 'kit' })).toEqual(['42']);
  const removed = await ask('pairing.removeAllowFromStoreEntry', { channel: 'kit', entry: '42' });
  expect(removed).toEqual({ changed: true, allowFrom: [] });

  const patterns = ask('mentions.buildMentionRegexes', {
    messages: { groupChat: { mentionPatterns: ['helper'] } },
  });
  expect(ask('mentions.matchesMentionPatterns', 'Dear helper', patterns)).toBe(true);
  expect(ask('mentions.matchesMentionPatterns', 'Dear helpers', patterns)).toBe(false);
  const explicit = { isExplicitlyMentioned: true };
  expect(ask('mentions.matchesMentionWithExplicit', { text: '', mentionRegexes: [], explicit })).toBe(true);
  expect(ask('mentions.implicitMentionKindWhen', 'reply', true)).toEqual(['reply']);
  const group = { isGroup: true, requireMention: true, canDetectMention: true };
  expect(ask('mentions.resolveInboundMentionDecision', group)).toMatchObject({ shouldSkip: true });
  const team = { cfg, channel: 'kit', groupId: 'team' };
  expect(ask('groups.resolveGroupPolicy', team)).toMatchObject({ allowed: true });
  expect(ask('groups.resolveGroupPolicy', { ...team, groupId: 'other' })).toMatchObject({ allowed: false });
  expect(ask('groups.resolveRequireMention', team)).toBe(false);
  const authorizers = [{ configured: true, allowed: true }];
  expect(ask('commands.resolveCommandAuthorizedFromAuthorizers', { authorizers })).toBe(true);

  const saved = await ask(
    'media.saveMediaBuffer',
    new TextEncoder().encode('png'),
    'image/png',
    undefined,
    99,
    'a.png',
  );
  const { path } = saved as { readonly path: string };
  expect(saved).toMatchObject({ size: 3, contentType: 'image/png', fileName: 'a.png' });
  expect(await readFile(path, 'utf8')).toBe('png');
  ask('activity.record', { channel: 'kit', direction: 'inbound', at: 7 });
  expect(ask('activity.get', { channel: 'kit' })).toEqual({ inboundAt: 7, outboundAt: null });
  expect(await ask('outbound.loadAdapter', 'kit')).toMatchObject({ textChunkLimit: 300 });

  expect(ask('debounce.resolveInboundDebounceMs', { overrideMs: 9 })).toBe(9);
  const flushed: unknown[] = [];
  const debouncer = ask('debounce.createInboundDebouncer', {
    debounceMs: 10_000,
    buildKey: () => 'one',
    onFlush: (items: unknown) => void flushed.push(items),
  }) as { enqueue: (item: unknown) => Promise<void>; drain: () => Promise<void> };
  await debouncer.enqueue('a');
  await debouncer.enqueue('b');
  await debouncer.drain();
  expect(flushed).toEqual([['a', 'b']]);
  // Who never pauses is handed on meanwhile.
  for (let at = 0; at < 45; at += 1) await debouncer.enqueue(at);
  expect(flushed.slice(1).map((items) => (items as readonly unknown[]).length)).toEqual([20, 20]);
  await debouncer.drain();
  expect(flushed.at(-1)).toEqual([40, 41, 42, 43, 44]);
});

it('a message that a channel hands over in any of the ways of upstream is answered', async () => {
  const { world, delivered, ask, receive } = await openKit();
  await using _ = world;
  const { code } = (await ask('pairing.upsertPairingRequest', { channel: 'kit', id: '42' })) as {
    readonly code: string;
  };
  await world.runtime.channels.approve(code, 'sender');
  const ways = [
    'reply.dispatchReplyFromConfig',
    ...['run', 'runPreparedReply', 'dispatch', 'dispatchReply'].map((name) => `inbound.${name}`),
    'turn.run',
  ];
  addModel(
    world,
    'post',
    ways.map((text) => ({ text })),
  );
  for (const [index, way] of ways.entries()) await receive(way, String(index));
  expect(delivered).toEqual(ways);
});

it('members of a channel that are not here are absent, and the look at one is noted', async () => {
  const { world, look } = await openKit();
  await using _ = world;
  const absent = ['reply.withReplyDispatcher', 'media.fetchRemoteMedia', 'inbound.ingress', 'reactions'];
  expect(absent.map(look)).toEqual(absent.map(() => undefined));
  const noted = world.runtime.workspace
    .diagnostics()
    .filter(({ code, pluginId }) => code === 'plugin_member_absent' && pluginId === 'kit');
  expect(noted.map(({ message }) => message.split(',')[0])).toEqual(
    absent.map((name) => `The plugin looked for api.runtime.channel.${name}`),
  );
});
