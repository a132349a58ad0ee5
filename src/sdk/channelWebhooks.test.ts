import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import {
  createAuthRateLimiter,
  isRequestBodyLimitError,
  readRequestBodyWithLimit,
  resolveRequestClientIp,
  runHttpConnectionRequest,
  safeEqualSecret,
  sendHttpRequestRejection,
} from './channelWebhooks.ts';

afterEach(() => void vi.useRealTimers());

/** A server that reads bodies as a channel does: of 10 bytes, in 50 ms. */
async function listen(listener?: RequestListener): Promise<string> {
  const server = createServer(
    listener ??
      ((incoming, response) =>
        void runHttpConnectionRequest(incoming, async () => {
          try {
            const body = await readRequestBodyWithLimit(incoming, {
              maxBytes: 10,
              timeoutMs: 50,
              destroyOnLimit: false,
            });
            response.end(`${String(resolveRequestClientIp(incoming))} ${body}`);
          } catch (error) {
            const status = isRequestBodyLimitError(error, 'PAYLOAD_TOO_LARGE') ? 413 : 408;
            await sendHttpRequestRejection(incoming, response, status, 'no');
          }
        })),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

it('the body of a webhook is read whole, and its sender is the address of the connection', async () => {
  const url = await listen();
  const headers = { 'x-forwarded-for': '10.0.0.9' };
  const answer = await fetch(url, { method: 'POST', body: 'ten bytes.', headers });
  expect(await answer.text()).toBe('127.0.0.1 ten bytes.');
});

it('a body over the limit is refused, and its connection ended', async () => {
  const answer = await fetch(await listen(), { method: 'POST', body: 'eleven byte' });
  expect(answer.status).toBe(413);
  expect(answer.headers.get('connection')).toBe('close');
});

it('a body that comes too slowly is refused', async () => {
  const slow = request(await listen(), { method: 'POST', headers: { 'content-length': '10' } });
  slow.write('part');
  const [answer] = (await once(slow, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(408);
  answer.resume();
  slow.destroy();
});

it('a body whose sender goes away is told as such', async () => {
  const thrown: unknown[] = [];
  const url = await listen((incoming) => {
    readRequestBodyWithLimit(incoming, { maxBytes: 10 }).catch((error: unknown) => void thrown.push(error));
    incoming.once('data', () => leaving.destroy());
  });
  const leaving = request(url, { method: 'POST', headers: { 'content-length': '10' } });
  leaving.on('error', () => undefined);
  leaving.write('part');
  await expect.poll(() => isRequestBodyLimitError(thrown[0], 'CONNECTION_CLOSED')).toBe(true);
});

it('an address with too many wrong secrets is locked out for a time, and only it', () => {
  vi.useFakeTimers();
  const limiter = createAuthRateLimiter({ maxAttempts: 2, windowMs: 1_000, lockoutMs: 5_000 });
  limiter.recordFailure('1.1.1.1');
  expect(limiter.check('1.1.1.1')).toEqual({ allowed: true, remaining: 1, retryAfterMs: 0 });
  limiter.recordFailure('1.1.1.1');
  expect(limiter.check('1.1.1.1')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 5_000 });
  expect(limiter.check('2.2.2.2').allowed).toBe(true);
  vi.advanceTimersByTime(5_000);
  expect(limiter.check('1.1.1.1').allowed).toBe(true);
});

it('a proxy of this machine is not locked out by what strangers send through it, unless the channel wants that', () => {
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    const [usual, strict] = [undefined, false].map((exemptLoopback) =>
      createAuthRateLimiter({ maxAttempts: 1, ...(exemptLoopback === undefined ? {} : { exemptLoopback }) }),
    );
    for (const limiter of [usual, strict]) limiter?.recordFailure(address);
    expect(usual?.check(address)).toEqual({ allowed: true, remaining: 1, retryAfterMs: 0 });
    expect(strict?.check(address).allowed).toBe(false);
  }
});

it('failures that lie apart are no attack, and a right secret forgets them', () => {
  vi.useFakeTimers();
  const limiter = createAuthRateLimiter({ maxAttempts: 2, windowMs: 1_000 });
  limiter.recordFailure('1.1.1.1');
  vi.advanceTimersByTime(1_000);
  limiter.recordFailure('1.1.1.1');
  expect(limiter.check('1.1.1.1').allowed).toBe(true);
  limiter.reset('1.1.1.1');
  expect(limiter.size()).toBe(0);
});

it('secrets are the same or not, whatever their length', () => {
  expect(safeEqualSecret('a secret', 'a secret')).toBe(true);
  expect(safeEqualSecret('a secret', 'a secret that is longer')).toBe(false);
  expect(safeEqualSecret(undefined, undefined)).toBe(false);
});
