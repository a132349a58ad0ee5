import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sign } from '../../../plugins/webhook/signature.ts';
import { openGateway, type TestGateway } from '../../builders/openGateway.ts';
import { addModel } from '../agents/agentWorld.ts';
import { until } from '../../builders/until.ts';

const secret = 'a-secret-of-some-length';
let receiver: Server;
let answers: { readonly to: string; readonly text: string }[];

beforeEach(async () => {
  answers = [];
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      answers.push(JSON.parse(body) as (typeof answers)[number]);
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterEach(
  () =>
    new Promise<void>((resolve) => {
      receiver.close(() => resolve());
      receiver.closeAllConnections();
    }),
);

async function openWebhook(): Promise<TestGateway> {
  const { port } = receiver.address() as AddressInfo;
  const world = await openGateway({
    config: {
      model: 'replay/webhook',
      plugins: { entries: { webhook: { enabled: true } } },
      channels: {
        webhook: {
          enabled: true,
          signingSecret: secret,
          url: `http://127.0.0.1:${String(port)}/answers`,
          allowFrom: ['build-server'],
        },
      },
    },
  });
  await world.runtime.channels.start();
  await until(() => expect(world.runtime.channels.list()).toMatchObject([{ state: 'running' }]));
  return world;
}

async function post(world: TestGateway, message: object, key = secret): Promise<number> {
  const body = JSON.stringify(message);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const nonce = crypto.randomUUID();
  const headers = {
    'x-webhook-timestamp': timestamp,
    'x-webhook-nonce': nonce,
    'x-webhook-signature': sign(key, timestamp, nonce, Buffer.from(body)),
  };
  // No token of the gateway: the signature is what counts.
  const { status } = await world.ask('/webhook/default', { token: undefined, headers, body });
  return status;
}

it('webhook: a signed request by the gateway is answered by a signed call, once for its id', async () => {
  await using world = await openWebhook();
  addModel(world, 'webhook', [{ text: 'All green.' }, { text: 'Twice.' }]);
  const message = { id: 'm1', from: 'build-server', text: 'How is the build?' };
  expect(await post(world, message)).toBe(202);
  await until(() => expect(answers).toMatchObject([{ to: 'build-server', text: 'All green.' }]));
  expect(await post(world, message)).toBe(202);
  expect(await post(world, message, 'another-secret-here')).toBe(401);
  expect(answers).toHaveLength(1);
});

it('webhook: with the gateway off the account says that it needs it', async () => {
  await using world = await openWebhook();
  const reasons = (): unknown => world.runtime.channels.list().map(({ accounts }) => accounts[0]?.reason);
  expect(reasons()).toEqual([undefined]);
  await world.runtime.gateway.stop();
  await until(() => expect(reasons()).toEqual([expect.stringContaining('needs the gateway')]));
});

it('webhook: a sender who is not on the list gets a code and no answer', async () => {
  await using world = await openWebhook();
  expect(await post(world, { id: 'm1', from: 'stranger', text: 'Hello?' })).toBe(202);
  await until(() => expect(answers).toHaveLength(1));
  const [request] = await world.runtime.channels.pairings();
  expect(request).toMatchObject({ channel: 'webhook', senderId: 'stranger' });
  expect(answers[0]?.text).toContain(request?.code);
});

it('webhook: an id that is too long is refused for good, and never asked for again', async () => {
  await using world = await openWebhook();
  const statusOf = (length: number): Promise<number> =>
    post(world, { id: `m${String(length)}`, from: 'u'.repeat(length), text: 'Hello?' });
  expect([await statusOf(186), await statusOf(187), await statusOf(200)]).toEqual([202, 400, 400]);
});
