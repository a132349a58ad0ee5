import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problemOf, resolveAccount, usableUrl } from './account.ts';
import { createWebhookChannel } from './index.ts';
import { createVerifier, sign, windowMs } from './signature.ts';

type Fields = Readonly<Record<string, unknown>>;

const secret = 'a-secret-of-some-length';
const start = 1_800_000_000_000;
let now = start;
let gateway: Server;
let receiver: Server;
let received: { readonly headers: IncomingMessage['headers']; readonly body: string }[];
let seen: Fields[];
let logs: string[];
let fails: boolean;
let drops: boolean;
const stop: AbortController[] = [];

const addressOf = (server: Server): string =>
  `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

beforeEach(async () => {
  [now, received, seen, logs, fails, drops] = [start, [], [], [], false, false];
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.end();
    });
  });
  await listen(receiver);
  const { plugin, handle } = createWebhookChannel(() => now);
  gateway = createServer((request, response) => void handle(request, response));
  await listen(gateway);
  const cfg = { channels: { webhook: { signingSecret: secret, url: addressOf(receiver) } } };
  const aborted = new AbortController();
  stop.push(aborted);
  let status: Fields = {};
  void plugin.gateway.startAccount({
    cfg,
    account: resolveAccount(cfg),
    abortSignal: aborted.signal,
    log: { warn: (text) => logs.push(text) },
    channelRuntime: {
      routing: { resolveAgentRoute: () => ({ sessionKey: 'agent:main:webhook:direct:u1' }) },
      reply: {
        finalizeInboundContext: (context: Fields) => context,
        async dispatchReplyWithBufferedBlockDispatcher(request: {
          readonly ctx: Fields;
          readonly dispatcherOptions: { deliver(payload: Fields): Promise<void> };
          readonly replyOptions: { readonly turnAdoptionLifecycle: { onAdopted(): void } };
        }) {
          if (fails) throw new Error('the disk is full');
          if (drops) return { reception: 'dropped' };
          seen.push(request.ctx);
          request.replyOptions.turnAdoptionLifecycle.onAdopted();
          await request.dispatcherOptions.deliver({ text: 'answer' });
          return { reception: 'answered' };
        },
      },
    },
    getStatus: () => status,
    setStatus: (next) => void (status = next),
  });
});
afterEach(async () => {
  for (const each of stop.splice(0)) each.abort();
  await close(gateway);
  await close(receiver);
});

interface Sending {
  readonly body?: string;
  readonly signed?: string;
  readonly at?: number;
  readonly nonce?: string;
  readonly key?: string;
  readonly path?: string;
}

async function send(given: Sending = {}): Promise<number> {
  const {
    body = '{"id":"m1","from":"u1","text":"Hi"}',
    at = now,
    nonce = 'nonce-0001',
    key = secret,
  } = given;
  const timestamp = String(Math.floor(at / 1_000));
  const response = await fetch(`${addressOf(gateway)}${given.path ?? '/webhook/default'}`, {
    method: 'POST',
    body,
    headers: {
      'x-webhook-timestamp': timestamp,
      'x-webhook-nonce': nonce,
      'x-webhook-signature': sign(key, timestamp, nonce, Buffer.from(given.signed ?? body)),
    },
  });
  await response.text();
  return response.status;
}

describe('the webhook channel', () => {
  it('takes a signed request and answers with a signed call', async () => {
    expect(await send()).toBe(202);
    await expect.poll(() => received.length).toBe(1);
    const { headers, body } = received[0]!;
    expect(JSON.parse(body)).toMatchObject({ account: 'default', to: 'u1', text: 'answer', replyTo: 'm1' });
    const verify = createVerifier(secret, () => now);
    const text = (name: string): string => String(headers[name]);
    const request = {
      timestamp: text('x-webhook-timestamp'),
      nonce: text('x-webhook-nonce'),
      signature: text('x-webhook-signature'),
    };
    expect(verify({ ...request, body: Buffer.from(body) })).toBe('ok');
    expect(seen[0]).toMatchObject({ RawBody: 'Hi', SenderId: 'u1', ChatType: 'direct', MessageSid: 'm1' });
  });

  it('refuses what is forged: another key, another body, no signature', async () => {
    expect(await send({ key: 'another-secret-here' })).toBe(401);
    expect(await send({ signed: '{"id":"m1","from":"owner","text":"Hi"}' })).toBe(401);
    const bare = await fetch(`${addressOf(gateway)}/webhook/default`, { method: 'POST', body: '{}' });
    expect(bare.status).toBe(401);
    expect(await send({ path: '/webhook/other' })).toBe(404);
    expect(seen).toEqual([]);
    expect(logs.join(' ')).not.toContain(secret);
    // A forged request must not use a nonce up.
    expect(await send()).toBe(202);
  });

  it('tells of refused requests once a minute, and of how many there were', async () => {
    for (let times = 0; times < 4; times += 1) await send({ key: 'another-secret-here' });
    expect(logs).toEqual(['a request was refused: forged']);
    now += 60_000;
    await send({ key: 'another-secret-here' });
    expect(logs.slice(1)).toEqual(['a request was refused: forged, and 3 before it']);
  });

  it('takes no sender or group whose name begins like an address: its answer would go to another one', async () => {
    expect(await send({ body: '{"id":"m1","from":"webhook:u1","text":"Hi"}' })).toBe(400);
    const group = '{"id":"m2","from":"u1","group":"Webhook:g1","text":"Hi"}';
    expect(await send({ body: group, nonce: 'nonce-0002' })).toBe(400);
    expect(seen).toEqual([]);
  });

  it('takes no name that is blank or long, has white space around it, or holds half a character', async () => {
    const named = [
      { from: ' ' },
      { from: ' u1' },
      { from: 'u1\u00a0' },
      { from: 'u1', group: ' ' },
      { from: 'u\ud800' },
      { from: 'u1', id: 'm\udc00' },
      { from: '🙂'.repeat(94) },
      { from: 'u1', group: 'g'.repeat(187) },
    ];
    for (const [at, fields] of named.entries()) {
      const body = JSON.stringify({ id: 'm1', text: 'Hi', ...fields });
      expect(await send({ body, nonce: `nonce-000${String(at)}` }), body).toBe(400);
    }
    expect(seen).toEqual([]);
  });

  it('is not held up by requests that say what they say slowly, or not to their end', async () => {
    const { port } = gateway.address() as AddressInfo;
    const head = 'POST /webhook/default HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{';
    const open = async (): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      const arrived = once(gateway, 'request');
      socket.write(head);
      await arrived;
      return socket;
    };
    const slow: Socket[] = [];
    for (let at = 0; at < 80; at += 1) slow.push(await open());
    expect(await send()).toBe(202);
    // The oldest made room.
    await expect.poll(() => slow.filter((each) => each.closed).length).toBe(17);
    for (const each of slow) each.destroy();
  });

  it('refuses what was there before, however it is repeated', async () => {
    expect(await send()).toBe(202);
    expect(await send()).toBe(409);
    now += windowMs - 1;
    expect(await send({ at: start })).toBe(409);
    now = start + windowMs + 1_000;
    expect(await send({ at: start })).toBe(401);
    expect(seen).toHaveLength(1);
  });

  it('keeps a nonce of a clock that runs ahead as long as its request counts', () => {
    let at = start;
    const verify = createVerifier(secret, () => at);
    const timestamp = String((start + windowMs) / 1_000);
    const request = {
      timestamp,
      nonce: 'nonce-0001',
      signature: sign(secret, timestamp, 'nonce-0001', Buffer.of()),
      body: Buffer.of(),
    };
    expect(verify(request)).toBe('ok');
    at = start + 2 * windowMs - 1;
    expect(verify(request)).toBe('replayed');
  });

  it('refuses what is older than five minutes, or ahead of them', async () => {
    expect(await send({ at: now - windowMs - 1_000 })).toBe(401);
    expect(await send({ at: now + windowMs + 1_000 })).toBe(401);
    expect(await send({ at: now - windowMs + 1_000 })).toBe(202);
  });

  it('refuses what is too large before it is read to its end', async () => {
    const body = JSON.stringify({ id: 'm1', from: 'u1', text: 'x'.repeat(100_000) });
    expect(await send({ body }).catch(() => 413)).toBe(413);
    expect(
      await send({
        body: JSON.stringify({ id: 'm1', from: 'u1', text: 'x'.repeat(17_000) }),
        nonce: 'nonce-0002',
      }),
    ).toBe(400);
    expect(seen).toEqual([]);
  });

  it('acknowledges only what the host has kept', async () => {
    fails = true;
    expect(await send()).toBe(503);
    fails = false;
    expect(await send({ nonce: 'nonce-0002' })).toBe(202);
  });

  it('says of a message that the host dropped, as too many came, that it was not taken', async () => {
    drops = true;
    expect(await send()).toBe(429);
    drops = false;
    expect(await send({ nonce: 'nonce-0002' })).toBe(202);
  });

  it('serves nothing once the account has stopped', async () => {
    stop[0]?.abort();
    await expect.poll(() => send({ nonce: `nonce-${crypto.randomUUID()}` })).toBe(404);
  });

  it('calls https and this machine alone, and needs a secret that nobody guesses', () => {
    expect(usableUrl('https://example.com/hook')).toBe('https://example.com/hook');
    for (const url of ['http://example.com', 'https://a:b@example.com', 'file:///etc', 'x'])
      expect(usableUrl(url)).toBeUndefined();
    const problem = (settings: Fields): string | undefined =>
      problemOf(resolveAccount({ channels: { webhook: settings } }));
    expect(problem({ signingSecret: 'short', url: 'https://x.org' })).toContain('signingSecret');
    expect(problem({ signingSecret: secret })).toContain('url');
    expect(problem({ signingSecret: secret, url: 'https://x.org' })).toBeUndefined();
  });
});
