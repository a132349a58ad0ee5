import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGatewayClient } from '../builders/openGatewayClient.ts';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';
import { pluginFiles } from './pluginFiles.ts';

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

it('says where MCP clients get in and by which token, and starts with none that opens more', async () => {
  await world.write({
    '../home/config.jsonc': '{ "gateway": { "port": 0 }, "mcp": { "serve": { "http": true } } }',
  });
  expect(await world.run(['gateway', 'run'], { env: { ...env, PINCER_MCP_TOKEN: token } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('PINCER_MCP_TOKEN is the same as PINCER_GATEWAY_TOKEN') as string,
  });
  const without = world.start(['gateway', 'run'], { env });
  await without.waitForError('PINCER_MCP_TOKEN is not set');
  without.interrupt('SIGTERM');
  expect(await without.done).toMatchObject({ code: 0 });
  const mcpToken = token.replace('a-token', 'another');
  const served = world.start(['gateway', 'run'], { env: { ...env, PINCER_MCP_TOKEN: mcpToken } });
  const url = /http:\S+/u.exec(await served.waitForOutput('The gateway runs on '))?.[0] ?? '';
  await served.waitForError(`${url}/mcp with the token in PINCER_MCP_TOKEN`);
  const ask = async (bearer: string): Promise<number> => {
    const headers = {
      authorization: `Bearer ${bearer}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    return (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).status;
  };
  expect([await ask(mcpToken), await ask(token)]).toEqual([200, 403]);
  served.interrupt('SIGTERM');
  expect(await served.done).toMatchObject({ code: 0 });
});

it('leaves its tokens in no environment that plugins, or the programs that they start, can read', async () => {
  const code = `
const { execFileSync } = process.getBuiltinModule('node:child_process');
const { writeFileSync } = process.getBuiltinModule('node:fs');
const names = 'Object.keys(process.env).filter((name) => name.endsWith("_TOKEN"))';
const started = execFileSync(process.execPath, ['--print', 'JSON.stringify(' + names + ')'], { encoding: 'utf8' });
const own = Object.keys(process.env).filter((name) => name.endsWith('_TOKEN'));
writeFileSync('found.json', JSON.stringify({ own, started: JSON.parse(started) }));`;
  await world.write(pluginFiles('curious', code, 'js'));
  expect(await world.run(['plugins', 'enable', 'curious'])).toMatchObject({ code: 0 });
  const found = (): Promise<string> => readFile(join(world.folder, 'found.json'), 'utf8');
  const mcpToken = token.replace('a-token', 'another');
  const served = world.start(['gateway', 'run'], {
    env: { ...env, PINCER_MCP_TOKEN: mcpToken, OTHER_TOKEN: 'x' },
  });
  const url = /http:\S+/u.exec(await served.waitForOutput('The gateway runs on '))?.[0] ?? '';
  expect(JSON.parse(await found())).toEqual({ own: ['OTHER_TOKEN'], started: ['OTHER_TOKEN'] });
  expect((await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(404);
  served.interrupt('SIGTERM');
  expect(await served.done).toMatchObject({ code: 0 });
});

it('tells plugins its port as they begin, once', async () => {
  const code = `
const { appendFileSync } = process.getBuiltinModule('node:fs');
api.on('gateway_start', ({ port }) => appendFileSync('heard.txt', String(port) + '\\n'));`;
  await world.write(pluginFiles('ear', code, 'js'));
  expect(await world.run(['plugins', 'enable', 'ear'])).toMatchObject({ code: 0 });
  const heard = (): Promise<string> => readFile(join(world.folder, 'heard.txt'), 'utf8').catch(() => '');
  const before = await heard();
  const served = world.start(['gateway', 'run'], { env });
  const url = await served.waitForOutput('The gateway runs on ');
  const port = /:(\d+)\n/u.exec(url)?.[1] ?? '';
  await expect.poll(heard).toBe(`${before}${port}\n`);
  served.interrupt('SIGTERM');
  expect(await served.done).toMatchObject({ code: 0 });
  expect(await heard()).toBe(`${before}${port}\n`);
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

it('lets a browser in that shows its code to a terminal, where another one says the code, lists it and takes its access away', async () => {
  const served = world.start(['gateway', 'run'], { env, hasTerminal: true });
  const text = await served.waitForOutput('The gateway runs on ');
  const url = /http:\/\/127\.0\.0\.1:(\d+)/u.exec(text);
  const opened = openGatewayClient(Number(url?.[1]), {
    headers: { origin: url?.[0] ?? '' },
    auth: { pairing: true },
    scopes: ['operator.read'],
  });
  const code = /code (\d{6})/u.exec(await served.waitForOutput('(y/N)'))?.[1] ?? '';
  expect(await world.run(['gateway', 'pair', code], { env })).toMatchObject({
    code: 0,
    stdout: 'The browser now has access.\n',
  });
  using page = await opened;
  expect(page.hello).toMatchObject({ ok: true });
  const gateway = async (...args: readonly string[]): ReturnType<CliWorld['run']> =>
    await world.run(['gateway', ...args], { env });
  const { browsers } = JSON.parse((await gateway('browsers', '--json')).stdout) as {
    readonly browsers: readonly [{ readonly id: number }];
  };
  expect(browsers).toEqual([expect.objectContaining({ isConnected: true })]);
  expect(await gateway('revoke', '999')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No browser with the id 999 has access.') as string,
  });
  const closed = once(page.socket, 'close');
  expect(await gateway('revoke', String(browsers[0].id))).toMatchObject({
    code: 0,
    stdout: 'The browser no longer has access.\n',
  });
  await closed;
  expect(await gateway('browsers')).toMatchObject({ code: 0, stdout: 'No browser has access.\n' });
  served.interrupt('SIGTERM');
  await served.done;
});

it('sends its token to no other program, though that repeats all that the gateway has said', async () => {
  const served = world.start(['gateway', 'run'], { env });
  const text = await served.waitForOutput('The gateway runs on ');
  const url = /http:\/\/127\.0\.0\.1:(\d+)/u.exec(text);
  const told = await (await fetch(`${url?.[0] ?? ''}/healthz?challenge=one`)).text();
  expect(JSON.parse(told)).toMatchObject({ proof: expect.stringMatching(/^[\w-]{43}$/u) as string });
  served.kill();
  await served.done;
  const asked: (string | undefined)[] = [];
  const other = createServer(({ headers }, response) => {
    asked.push(headers.authorization);
    response.end(told);
  }).listen(Number(url?.[1]), '127.0.0.1');
  await once(other, 'listening');
  expect(await world.run(['gateway', 'pair', '123456'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No gateway of this workspace runs.') as string,
  });
  other.close();
  expect(asked).toEqual([undefined]);
});
