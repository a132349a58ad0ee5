import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';

const token = 'a-token-for-the-command-line-of-at-least-43-characters';
const env = { PINCER_GATEWAY_TOKEN: token };
let world: CliWorld;

beforeEach(async () => {
  world = await openCliWorld();
  await world.write({ '../home/config.jsonc': '{ "gateway": { "port": 0 } }' });
});
afterEach(() => world.close());

it('serves until it is told to end, and ends in order', async () => {
  const served = world.start(['gateway', 'run'], { env });
  await served.waitForOutput('The gateway runs on ');
  const second = await world.run(['gateway', 'run'], { env });
  expect(second).toMatchObject({ code: 1 });
  const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(second.stderr)?.[0] ?? '';
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ ok: true });
  expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(404);
  served.interrupt('SIGTERM');
  expect(await served.done).toMatchObject({ code: 0, stdout: `The gateway runs on ${url}\n`, stderr: '' });
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

it('wants a token of 256 bits, and never makes one up', async () => {
  expect(await world.run(['gateway', 'run'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('PINCER_GATEWAY_TOKEN is not set') as string,
  });
  expect(await world.run(['gateway', 'run'], { env: { PINCER_GATEWAY_TOKEN: 'short' } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('too short') as string,
  });
});

it('has no page without a terminal, and lets nobody in by a code that no browser shows', async () => {
  const pair = ['gateway', 'pair', '123456'];
  expect(await world.run(pair, { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No gateway of this workspace runs.') as string,
  });
  const served = world.start(['gateway', 'run'], { env });
  await served.waitForOutput('The gateway runs on ');
  expect(await world.run(pair, { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No browser with the code 123456 waits.') as string,
  });
  const other = { PINCER_GATEWAY_TOKEN: token.replace('a-token', 'another') };
  expect(await world.run(pair, { env: other })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not the token of the gateway') as string,
  });
  served.interrupt('SIGTERM');
  expect(await served.done).toMatchObject({ code: 0 });
});
