import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { usualLimits, type ClientLimits } from '../../../src/gateway/gatewayProtocol.ts';
import { readConnect, readRequest } from '../../../src/gateway/rpc/frames.ts';
import { openGateway } from '../../builders/openGateway.ts';
import { openGatewayClient, payloadOf } from '../../builders/openGatewayClient.ts';

const limited = (changed: Partial<ClientLimits>): { readonly clients: ClientLimits } => ({
  clients: { ...usualLimits.clients, ...changed },
});

/** The status of a request for a WebSocket. */
async function statusOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const socket = new WebSocket(url, { headers });
  const opened = once(socket, 'open').then(() => 101);
  const refused = once(socket, 'unexpected-response').then(
    ([, response]) => (response as { readonly statusCode: number }).statusCode,
  );
  socket.on('error', () => undefined);
  const status = await Promise.race([opened, refused]);
  socket.terminate();
  return status;
}

describe('the first frame of a client', () => {
  it('brings protocol, token and scopes, and is answered with what there is', async () => {
    await using gateway = await openGateway();
    using client = await openGatewayClient(gateway.port, { scopes: ['operator.read', 'operator.fly'] });
    expect(payloadOf(client.hello)).toMatchObject({
      type: 'hello-ok',
      protocol: 4,
      features: { methods: expect.arrayContaining(['agent', 'chat.send']) as unknown },
      auth: { role: 'operator', scopes: ['operator.read'] },
      policy: { tickIntervalMs: 15_000 },
    });
    expect(client.events[0]).toMatchObject({
      event: 'connect.challenge',
      payload: { nonce: expect.any(String) as unknown },
    });
    using older = await openGatewayClient(gateway.port, { minProtocol: 2, maxProtocol: 3 });
    expect(payloadOf(older.hello)).toMatchObject({ protocol: 3 });
  });

  it('is refused without the token, with versions that are not spoken here, and where it is another method', async () => {
    await using gateway = await openGateway();
    const refused = async (options: Parameters<typeof openGatewayClient>[1]): Promise<unknown> => {
      using client = await openGatewayClient(gateway.port, options);
      expect((await client.closed).code).toBe(1008);
      return client.hello.error?.message;
    };
    expect(await refused({ token: undefined })).toContain('unauthorized');
    expect(await refused({ token: 'x'.repeat(50) })).toContain('unauthorized');
    expect(await refused({ minProtocol: 9, maxProtocol: 9 })).toContain('protocol mismatch');
    expect(await refused({ minProtocol: 1, maxProtocol: 2 })).toContain('protocol mismatch');
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/ws`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'req', id: 'a', method: 'sessions.list' }));
    expect((await once(socket, 'close'))[0]).toBe(1008);
  });

  it('must come in time', async () => {
    await using gateway = await openGateway({ gatewayLimits: limited({ connectMs: 50 }) });
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/ws`);
    expect((await once(socket, 'close'))[0]).toBe(1008);
  });
});

describe('a connection', () => {
  it('is judged by Host and Origin as a request is, and there are so many and no more', async () => {
    await using gateway = await openGateway({ gatewayLimits: limited({ most: 1 }) });
    const url = `${gateway.url.replace('http', 'ws')}/ws`;
    expect(await statusOf(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf(url, { host: 'evil.example' })).toBe(421);
    expect(await statusOf(`${url}/else`)).toBe(401);
    expect(await statusOf(url, { origin: gateway.url })).toBe(101);
    using client = await openGatewayClient(gateway.port);
    expect(client.hello.ok).toBe(true);
    expect(await statusOf(url)).toBe(503);
  });

  it('makes room for the next where all places are taken and it has not said who it is', async () => {
    await using gateway = await openGateway({ gatewayLimits: limited({ most: 3 }) });
    using first = await openGatewayClient(gateway.port);
    const url = `${gateway.url.replace('http', 'ws')}/ws`;
    const silent: WebSocket[] = [];
    for (let at = 0; at < 3; at += 1) {
      const socket = new WebSocket(url);
      silent.push(socket);
      await once(socket, 'open');
    }
    using second = await openGatewayClient(gateway.port);
    using third = await openGatewayClient(gateway.port);
    expect([second.hello.ok, third.hello.ok]).toEqual([true, true]);
    await expect.poll(() => silent.map((each) => each.readyState)).toEqual(silent.map((each) => each.CLOSED));
    expect((await first.ask('health')).ok).toBe(true);
    expect(await statusOf(url)).toBe(503);
  });

  it('is closed at frames that are too large, too many or binary', async () => {
    await using gateway = await openGateway({ gatewayLimits: limited({ frameBytes: 5_000, frames: 10 }) });
    using large = await openGatewayClient(gateway.port);
    large.socket.send('x'.repeat(6_000));
    expect((await large.closed).code).toBe(1009);
    using many = await openGatewayClient(gateway.port);
    for (let at = 0; at < 40; at += 1) many.socket.send('{}');
    expect(await many.closed).toMatchObject({ code: 1008, reason: 'too many frames' });
    using binary = await openGatewayClient(gateway.port);
    binary.socket.send(Buffer.from([1, 2, 3]));
    expect((await binary.closed).code).toBe(1003);
  });

  it('is ended where the client is no longer there', async () => {
    await using gateway = await openGateway({ gatewayLimits: limited({ pingMs: 400 }) });
    using alive = await openGatewayClient(gateway.port);
    await alive.hear('tick');
    using dead = await openGatewayClient(gateway.port);
    // It takes what comes, and answers nothing.
    dead.socket.pong = () => undefined;
    await dead.closed;
    expect((await alive.ask('health')).ok).toBe(true);
  });

  it('is told of when it comes and goes, and ends with the gateway', async () => {
    await using gateway = await openGateway();
    using first = await openGatewayClient(gateway.port);
    const second = await openGatewayClient(gateway.port, { client: { id: 'second', mode: 'cli' } });
    const here = (count: number) => (payload: Readonly<Record<string, unknown>>) =>
      (payload['presence'] as readonly unknown[]).length === count;
    await first.hear('presence', here(2));
    second.socket.close();
    await second.closed;
    await first.hear('presence', (payload) => here(1)(payload));
    await gateway.runtime.gateway.stop();
    expect((await first.closed).code).toBe(1001);
  });

  it('survives frames of every kind, and answers the next one', async () => {
    await using gateway = await openGateway({ gatewayLimits: limited({ frames: 10_000 }) });
    using client = await openGatewayClient(gateway.port);
    const methods = [
      'agent',
      'agent.wait',
      'chat.abort',
      'chat.history',
      'sessions.pluginPatch',
      'approvals.resolve',
    ];
    const frames = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.json({ maxDepth: 4 }),
      fc
        .record({
          type: fc.constantFrom('req', 'res', 'event', 7),
          id: fc.oneof(fc.string(), fc.integer(), fc.constant('__proto__')),
          method: fc.oneof(fc.string(), fc.constantFrom(...methods, 'constructor', '__proto__')),
          params: fc.oneof(
            fc.anything({ maxDepth: 3 }),
            fc.record({
              sessionKey: fc.anything(),
              runId: fc.anything(),
              id: fc.anything(),
              limit: fc.anything(),
            }),
          ),
        })
        .map((frame) =>
          JSON.stringify(frame, (_, value: unknown) => (typeof value === 'bigint' ? '1' : value)),
        ),
    );
    for (const frame of fc.sample(frames, 500)) client.socket.send(frame);
    // A method that starts turns gets no text that is one, so that none begins.
    expect((await client.ask('health')).ok).toBe(true);
    expect(gateway.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

it('reads whatever is sent as a frame, or says what is wrong with it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      for (const read of [readRequest(text), readConnect(text)])
        expect('problem' in read ? typeof read.problem : typeof read.id).toBe('string');
    }),
  );
});
