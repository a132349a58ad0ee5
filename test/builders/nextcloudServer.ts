import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';

/**
 * A server that speaks the bot protocol of Nextcloud Talk: signed webhooks to the bot, signed messages from it, and what a user may read of a
 * conversation. Each user has one with the bot; rooms of several are there by their names.
 */
export interface NextcloudServer {
  readonly baseUrl: string;
  /** The bot's. */
  readonly secret: string;
  /** Who may read of conversations. */
  readonly user: { readonly name: string; readonly password: string };
  /** Where it calls the bot. */
  readonly webhookPort: number;
  /** Resolves once the bot listens. */
  reachable(): Promise<void>;
  /** A user writes to the bot; resolves once the bot has taken it. @throws Error where it does not */
  write(user: string, text: string, room?: string): Promise<void>;
  /** What the bot has said to whom, in order; in a room of several, to that. */
  readonly said: readonly { readonly user: string; readonly text: string }[];
  /** Resolves once the bot has said something that fits to a user. */
  heard(fits: (text: string, user: string) => boolean): Promise<void>;
  close(): Promise<void>;
}

/** The types of conversations. */
const oneToOne = 1;
const ofSeveral = 2;
const api = '/ocs/v2.php/apps/spreed/api';
const maxTries = 400;

export async function startNextcloudServer(): Promise<NextcloudServer> {
  const secret = 'a-secret-of-a-bot-of-nextcloud-talk-0123456789';
  const user = { name: 'reader', password: 'a-password-of-an-app' };
  const webhookPort = await freePort();
  const webhook = `http://127.0.0.1:${String(webhookPort)}`;
  const said: { readonly user: string; readonly text: string }[] = [];
  const waiting = new Set<() => void>();
  let messages = 0;
  const sign = (random: string, signed: string): string =>
    createHmac('sha256', secret)
      .update(random + signed)
      .digest('hex');

  /** The status and the data of one request. */
  const answer = async (request: IncomingMessage): Promise<readonly [number, object]> => {
    const body = await readBody(request);
    const { url = '', method, headers } = request;
    const token = /\/(?:room|bot)\/(?<token>\w+)(?:\/message)?$/u.exec(url)?.groups?.['token'] ?? '';
    if (method === 'GET' && url === `${api}/v4/room/${token}`) {
      const basic = Buffer.from(`${user.name}:${user.password}`).toString('base64');
      const type = token.startsWith('team') ? ofSeveral : oneToOne;
      return headers.authorization === `Basic ${basic}` ? [200, { token, type }] : [401, {}];
    }
    if (method !== 'POST' || url !== `${api}/v1/bot/${token}/message`) return [404, {}];
    const { message } = JSON.parse(body) as { readonly message: string };
    // The bot signs the words of its message alone, the server the whole body of its own.
    const wanted = Buffer.from(sign(String(headers['x-nextcloud-talk-bot-random']), message));
    const given = Buffer.from(String(headers['x-nextcloud-talk-bot-signature']));
    if (headers['ocs-apirequest'] !== 'true') return [412, {}];
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return [401, {}];
    said.push({ user: token.replace(/^room/u, ''), text: message });
    for (const look of [...waiting]) look();
    messages += 1;
    return [201, { id: messages, timestamp: 1_790_000_000 }];
  };
  const server = createServer((request, response) => {
    void answer(request).then(([status, data]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ocs: { meta: { status: 'ok', statuscode: status }, data } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    baseUrl,
    secret,
    user,
    webhookPort,
    said,
    async reachable() {
      for (let tries = 0; tries < maxTries; tries += 1) {
        // Refused until it listens.
        const health = await fetch(`${webhook}/healthz`).catch(() => undefined);
        if (health?.ok === true) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error('The bot does not listen.');
    },
    async write(from, text, room = `room${from}`) {
      messages += 1;
      const body = JSON.stringify({
        type: 'Create',
        actor: { type: 'Person', id: `users/${from}`, name: from },
        object: {
          type: 'Note',
          id: String(messages),
          name: 'message',
          content: JSON.stringify({ message: text, parameters: {} }),
          mediaType: 'text/markdown',
        },
        target: { type: 'Collection', id: room, name: room },
      });
      const random = randomBytes(32).toString('hex');
      const taken = await fetch(`${webhook}/nextcloud-talk-webhook`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'x-nextcloud-talk-backend': `${baseUrl}/`,
          'x-nextcloud-talk-random': random,
          'x-nextcloud-talk-signature': sign(random, body),
        },
      });
      if (!taken.ok) throw new Error(`The bot answers ${String(taken.status)}: ${await taken.text()}`);
    },
    heard: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!said.some(({ text, user: to }) => fits(text, to))) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** One that nobody listens on now. */
async function freePort(): Promise<number> {
  const probe = createSocketServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
