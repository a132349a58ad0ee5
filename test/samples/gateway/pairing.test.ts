import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { usualLimits } from '../../../src/gateway/gatewayProtocol.ts';
import type { PagePort, PageServer, PairingRequest } from '../../../src/gateway/pages.ts';
import { openGateway, runningPort, type TestGateway } from '../../builders/openGateway.ts';
import { openGatewayClient, payloadOf, type GatewayClient } from '../../builders/openGatewayClient.ts';

const scopes = ['operator.read', 'operator.write', 'operator.approvals', 'operator.admin'];

/** What VS Code serves, without VS Code. */
function createPages(
  answer: (request: PairingRequest, signal: AbortSignal) => boolean | Promise<boolean>,
): PageServer & {
  readonly asked: PairingRequest[];
  readonly ports: PagePort[];
} {
  const asked: PairingRequest[] = [];
  const ports: PagePort[] = [];
  return {
    asked,
    ports,
    file: (path) =>
      Promise.resolve(path === '/' ? { type: 'text/html', body: '<title>Pincer</title>' } : undefined),
    async pair(request, signal) {
      asked.push(request);
      return await answer(request, signal);
    },
    open(port) {
      ports.push(port);
      port.listen((message) => port.post({ echo: message }));
      return { dispose: () => void ports.splice(ports.indexOf(port), 1) };
    },
  };
}

/** A page of the gateway itself, as a browser opens it. */
async function openPage(
  { port, url }: TestGateway,
  auth: object,
  leaves?: AbortSignal,
): Promise<GatewayClient> {
  const headers = { origin: url };
  return await openGatewayClient(port, { headers, auth, scopes, ...(leaves && { leaves }) });
}

it('lets a browser in by a code that the person compares, with a token of its own and few rights', async () => {
  await using gateway = await openGateway();
  const pages = createPages(() => true);
  gateway.runtime.gateway.servePages(pages);
  await gateway.runtime.gateway.sync();
  const html = await gateway.ask('/', { token: undefined });
  expect(html).toMatchObject({ status: 200, text: '<title>Pincer</title>' });
  expect(html.headers['content-security-policy']).toContain("default-src 'none'");
  expect((await gateway.ask('/page/else', { token: undefined })).status).toBe(401);

  using page = await openPage(gateway, { pairing: true });
  const [code] = page.events.filter(({ event }) => event === 'pairing.code');
  expect(code?.payload['code']).toMatch(/^\d{6}$/u);
  expect(pages.asked).toMatchObject([{ code: code?.payload['code'] }]);
  const { auth } = payloadOf(page.hello) as { readonly auth: { readonly deviceToken: string } };
  expect(auth).toMatchObject({ scopes: scopes.slice(0, 3) });
  expect(await page.ask('page.post', { message: 1 })).toMatchObject({ ok: false });
  expect(await page.ask('page.open')).toMatchObject({ ok: true });
  await page.ask('page.post', { message: { type: 'ready' } });
  expect((await page.hear('page')).payload).toEqual({ message: { echo: { type: 'ready' } } });

  // Its token is good for this browser again, and for nothing that the gateway's own is good for.
  using again = await openPage(gateway, { token: auth.deviceToken });
  expect(payloadOf(again.hello)).toMatchObject({ auth: { scopes: scopes.slice(0, 3) } });
  expect((await gateway.ask('/v1/models', { token: auth.deviceToken })).status).toBe(401);
  page[Symbol.dispose]();
  again[Symbol.dispose]();
  await expect.poll(() => pages.ports.length).toBe(0);

  await gateway.runtime.gateway.stop();
  await gateway.runtime.gateway.start();
  const port = await runningPort(gateway);
  using late = await openPage(
    { ...gateway, port, url: `http://127.0.0.1:${String(port)}` },
    { token: auth.deviceToken },
  );
  expect(late.hello).toMatchObject({ ok: false });
});

it('lists the browsers that have access, and closes the pages of the one that loses it', async () => {
  await using gateway = await openGateway();
  gateway.runtime.gateway.servePages(createPages(() => true));
  await gateway.runtime.gateway.sync();
  const { browsers } = gateway.runtime.gateway;
  expect(browsers.list()).toEqual([]);
  using client = await openGatewayClient(gateway.port);
  using first = await openPage(gateway, { pairing: true });
  using second = await openPage(gateway, { pairing: true });
  const [token, kept] = [first, second].map(
    ({ hello }) => (payloadOf(hello) as { readonly auth: { readonly deviceToken: string } }).auth.deviceToken,
  );
  using again = await openPage(gateway, { token });
  const connected = (): readonly boolean[] => browsers.list().map(({ isConnected }) => isConnected);
  await expect.poll(connected).toEqual([true, true]);
  first.socket.close();
  await first.closed;
  again.socket.close();
  await again.closed;
  await expect.poll(connected).toEqual([false, true]);

  using once = await openPage(gateway, { token });
  expect(once.hello.ok).toBe(true);
  const [lost] = browsers.list();
  expect(lost).toMatchObject({ name: 'test', pairedAt: expect.any(Number) as number });
  browsers.revoke(lost?.id ?? 0);
  expect(await once.closed).toMatchObject({ code: 1008 });
  using late = await openPage(gateway, { token });
  expect(late.hello.ok).toBe(false);
  using other = await openPage(gateway, { token: kept });
  expect(other.hello.ok).toBe(true);
  expect((await second.ask('page.open')).ok).toBe(true);
  expect((await client.ask('status')).ok).toBe(true);
  expect(browsers.list()).toHaveLength(1);
  await gateway.runtime.gateway.stop();
  expect(browsers.list()).toEqual([]);
});

it('closes the pages of the oldest browser once there is one too many', async () => {
  await using gateway = await openGateway();
  gateway.runtime.gateway.servePages(createPages(() => true));
  await gateway.runtime.gateway.sync();
  const { browsers } = gateway.runtime.gateway;
  using first = await openPage(gateway, { pairing: true });
  const { auth } = payloadOf(first.hello) as { readonly auth: { readonly deviceToken: string } };
  using others = new DisposableStack();
  for (let at = 0; at < 19; at += 1) others.use(await openPage(gateway, { pairing: true }));
  expect((await first.ask('page.open')).ok).toBe(true);
  using last = await openPage(gateway, { pairing: true });
  expect(await first.closed).toMatchObject({ code: 1008 });
  using late = await openPage(gateway, { token: auth.deviceToken });
  expect(late.hello.ok).toBe(false);
  expect((await last.ask('page.open')).ok).toBe(true);
  expect(browsers.list()).toHaveLength(20);
});

it('takes access from no other browser where the gateway was started anew meanwhile', async () => {
  await using gateway = await openGateway();
  gateway.runtime.gateway.servePages(createPages(() => true));
  await gateway.runtime.gateway.sync();
  const { browsers } = gateway.runtime.gateway;
  using before = await openPage(gateway, { pairing: true });
  expect(before.hello.ok).toBe(true);
  const [picked] = browsers.list();
  await gateway.runtime.gateway.stop();
  await gateway.runtime.gateway.start();
  const port = await runningPort(gateway);
  const started = { ...gateway, port, url: `http://127.0.0.1:${String(port)}` };
  using page = await openPage(started, { pairing: true });
  browsers.revoke(picked?.id ?? 0);
  expect((await page.ask('page.open')).ok).toBe(true);
  expect(browsers.list()).toMatchObject([{ isConnected: true }]);
});

it('keeps the page that waits for a yes where silent connections take all places', async () => {
  await using gateway = await openGateway({
    gatewayLimits: { clients: { ...usualLimits.clients, most: 2 } },
  });
  let answer = (_: boolean): void => undefined;
  const pages = createPages(() => new Promise((resolve) => (answer = resolve)));
  gateway.runtime.gateway.servePages(pages);
  await gateway.runtime.gateway.sync();
  const asking = openPage(gateway, { pairing: true });
  await expect.poll(() => pages.asked.length).toBe(1);
  for (let at = 0; at < 3; at += 1) {
    const silent = new WebSocket(`${gateway.url.replace('http', 'ws')}/ws`);
    await once(silent, 'open');
  }
  answer(true);
  using page = await asking;
  expect(page.hello.ok).toBe(true);
});

it('keeps out who was denied, who asks while another one waits, and what is no page of its own', async () => {
  await using gateway = await openGateway();
  let answer = (_: boolean): void => undefined;
  const pages = createPages(() => new Promise((resolve) => (answer = resolve)));
  gateway.runtime.gateway.servePages(pages);
  await gateway.runtime.gateway.sync();
  using stranger = await openGatewayClient(gateway.port, { auth: { pairing: true } });
  expect(stranger.hello).toMatchObject({ ok: false });
  const first = openPage(gateway, { pairing: true });
  await expect.poll(() => pages.asked.length).toBe(1);
  using second = await openPage(gateway, { pairing: true });
  expect(second.hello).toMatchObject({ ok: false, error: { retryAfterMs: 5_000 } });
  answer(false);
  using denied = await first;
  expect(denied.hello).toMatchObject({ ok: false, error: { message: 'pairing: denied' } });
  // Nobody asks until they are allowed to have peace.
  using third = await openPage(gateway, { pairing: true });
  const pause = third.hello as { readonly ok: boolean; readonly error?: { readonly retryAfterMs?: number } };
  expect(pause.ok).toBe(false);
  expect(pause.error?.retryAfterMs).toSatisfy((ms: number) => ms > 10_000 && ms <= 15_000);
  expect(pages.asked).toHaveLength(1);
});

it('takes the question back as its browser leaves, and a yes after that lets nobody in', async () => {
  await using gateway = await openGateway();
  let answer = (_: boolean): void => undefined;
  let takenBack: Promise<unknown> | undefined;
  const pages = createPages((_, signal) => {
    takenBack = new Promise((resolve) => signal.addEventListener('abort', resolve));
    return new Promise((resolve) => (answer = resolve));
  });
  gateway.runtime.gateway.servePages(pages);
  await gateway.runtime.gateway.sync();
  const leaves = new AbortController();
  const left = openPage(gateway, { pairing: true }, leaves.signal);
  await expect.poll(() => pages.asked.length).toBe(1);
  leaves.abort();
  await expect(left).rejects.toThrow('ended before');
  await takenBack;
  answer(true);
  // Whoever comes after it is not taken for it.
  using next = await openPage(gateway, { pairing: true });
  expect(next.hello).toMatchObject({ ok: false });
  expect(pages.ports).toEqual([]);
});

it('lets nobody in by a yes to a page that is closing', async () => {
  await using gateway = await openGateway();
  let answer = (_: boolean): void => undefined;
  const pages = createPages(() => new Promise((resolve) => (answer = resolve)));
  gateway.runtime.gateway.servePages(pages);
  await gateway.runtime.gateway.sync();
  const headers = { origin: gateway.url };
  const page = new WebSocket(`${gateway.url.replace('http', 'ws')}/ws`, { headers });
  await once(page, 'open');
  const params = {
    ...{ minProtocol: 4, maxProtocol: 4, role: 'operator', scopes, auth: { pairing: true } },
    client: { id: 'test', version: '1', platform: 'linux', mode: 'operator' },
  };
  page.send(JSON.stringify({ type: 'req', id: 'r1', method: 'connect', params }));
  await expect.poll(() => pages.asked.length).toBe(1);
  // The gateway ends a page that speaks before it is let in, and this one does not hear of it.
  page.pause();
  page.send('{}');
  await gateway.ask('/healthz');
  answer(true);
  using next = await openPage(gateway, { pairing: true });
  expect(next.hello).toMatchObject({ ok: false });
  expect(gateway.runtime.gateway.browsers.list()).toEqual([]);
  page.terminate();
});

it('takes the question back once its time is over, and a yes after that lets nobody in', async () => {
  const pairMs = 120_000;
  await using gateway = await openGateway({
    adjustHost: (host) => ({
      ...host,
      clock: {
        ...host.clock,
        after: (ms, call) => host.clock.after(ms === pairMs ? 100 : ms, call),
      },
    }),
  });
  const pages = createPages(
    async (_, signal) =>
      await new Promise((resolve) => signal.addEventListener('abort', () => resolve(true))),
  );
  gateway.runtime.gateway.servePages(pages);
  await gateway.runtime.gateway.sync();
  using late = await openPage(gateway, { pairing: true });
  expect(late.hello).toMatchObject({ ok: false, error: { message: 'pairing: denied' } });
});
