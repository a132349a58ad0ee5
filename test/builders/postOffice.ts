import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as its sender writes it. */
export interface Letter {
  readonly id: string;
  readonly from: string;
  readonly name: string;
  readonly text: string;
}

/** A message service on loopback: a plugin asks it for letters and gives it answers, as bots do. */
export interface PostOffice {
  readonly baseUrl: string;
  /** What it was given for a sender, in order. */
  sentTo(to: string): readonly string[];
  /** Somebody writes. */
  write(letter: Letter): void;
  close(): Promise<void>;
}

export async function startPostOffice(): Promise<PostOffice> {
  const waiting: Letter[] = [];
  const sent: { readonly to: string; readonly text: string }[] = [];
  let held: ServerResponse | undefined;
  const handOver = (): void => {
    if (held === undefined || waiting.length === 0) return;
    held.end(JSON.stringify(waiting.splice(0)));
    held = undefined;
  };
  const server = createServer((request, response) => {
    if (request.url === '/letters') {
      held?.end('[]');
      held = response;
      handOver();
      return;
    }
    void readText(request).then((text) => {
      sent.push(JSON.parse(text) as { to: string; text: string });
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    sentTo: (to) => sent.filter((each) => each.to === to).map(({ text }) => text),
    write(letter) {
      waiting.push(letter);
      handOver();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** A channel to it as a third party writes one: upstream's adapters and `api.runtime.channel`. Files below the user's home. */
export const postPluginFiles = {
  'plugins/post/openclaw.plugin.json': JSON.stringify({
    id: 'post',
    name: 'Post',
    channels: ['post'],
    configSchema: { type: 'object' },
  }),
  'plugins/post/index.js': `
module.exports = (api) => {
  const rt = api.runtime.channel;
  const section = (cfg) => (cfg.channels || {}).post || {};
  const send = (url, to, text) =>
    fetch(url + '/sent', { method: 'POST', body: JSON.stringify({ to, text }) }).then((answer) => answer.text());
  const receive = (url, accountId, { id, from, name, text }) => {
    const cfg = api.runtime.config.loadConfig();
    const peer = { kind: 'direct', id: from };
    const route = rt.routing.resolveAgentRoute({ cfg, channel: 'post', accountId, peer });
    const to = 'post:' + from;
    const ctx = rt.reply.finalizeInboundContext({
      Body: text, RawBody: text, CommandBody: text, From: to, To: to,
      OriginatingTo: to, OriginatingChannel: 'post', Provider: 'post', Surface: 'post',
      SessionKey: route.sessionKey, AccountId: accountId, ChatType: 'direct',
      SenderId: from, SenderName: name, MessageSid: id, Timestamp: Date.now(),
    });
    return rt.reply.dispatchReplyWithBufferedBlockDispatcher({
      ctx, cfg, dispatcherOptions: { deliver: (payload) => send(url, to, payload.text) },
    });
  };
  api.registerChannel({
    plugin: {
      id: 'post',
      meta: { id: 'post', label: 'Post', selectionLabel: 'Post', docsPath: '/post', blurb: 'Letters' },
      capabilities: { chatTypes: ['direct'] },
      config: {
        listAccountIds: () => ['default'],
        resolveAccount: (cfg, accountId) => ({ accountId, ...section(cfg) }),
        isConfigured: (account) => typeof account.url === 'string',
        unconfiguredReason: () => 'channels.post.url is missing',
      },
      gateway: {
        startAccount: async ({ account, accountId, abortSignal, log }) => {
          while (!abortSignal.aborted) {
            try {
              const answer = await fetch(account.url + '/letters', { signal: abortSignal });
              for (const letter of await answer.json()) void receive(account.url, accountId, letter).catch((error) => log.error(String(error)));
            } catch (error) {
              if (!abortSignal.aborted) throw error;
            }
          }
        },
      },
      outbound: {
        deliveryMode: 'direct',
        textChunkLimit: 4000,
        sendText: async ({ cfg, to, text }) => {
          await send(section(cfg).url, to, text);
          return { channel: 'post', messageId: 'sent' };
        },
      },
      pairing: { idLabel: 'postId' },
    },
  });
};`,
} as const;
