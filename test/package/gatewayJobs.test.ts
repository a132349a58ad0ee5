import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { homeWithModel } from '../builders/homeWithModel.ts';
import { openGatewayClient } from '../builders/openGatewayClient.ts';
import {
  startScriptedModelServer,
  type ScriptedModelServer,
  textAnswer,
  toolCallAnswer,
} from '../builders/scriptedModelServer.ts';
import { startTelegramServer, type TelegramServer } from '../builders/telegramServer.ts';
import { openCliWorld, type CliWorld, type RunningCli } from './openCliWorld.ts';
import { until } from '../builders/until.ts';

const token = 'a-token-for-the-command-line-of-at-least-43-characters';
const env = { PINCER_GATEWAY_TOKEN: token };
let cli: CliWorld;
let server: ScriptedModelServer;
let telegram: TelegramServer;
beforeEach(async () => {
  cli = await openCliWorld();
  server = await startScriptedModelServer();
  telegram = await startTelegramServer();
});
afterEach(async () => {
  await telegram.close();
  await server.dispose();
  await cli.close();
});

async function settle(more: object = {}): Promise<void> {
  const home = homeWithModel(server.baseUrl, { gateway: { port: 0 }, ...more });
  for (const [path, text] of Object.entries(home)) await cli.write({ [`../home/${path}`]: text });
  await cli.write({ 'workspace/log.md': 'day one\n' });
}

/** `pincer gateway run` without a terminal, and the port that it serves. */
async function serve(): Promise<{ readonly served: RunningCli; readonly port: number }> {
  const served = cli.start(['gateway', 'run'], { env });
  await served.waitForOutput('The gateway runs on ');
  const { stderr } = await cli.run(['gateway', 'run'], { env });
  return { served, port: Number(/127\.0\.0\.1:(?<port>\d+)/u.exec(stderr)?.groups?.['port']) };
}

const log = (): Promise<string> => readFile(join(cli.workspace, 'log.md'), 'utf8');

async function end(served: RunningCli): Promise<void> {
  served.interrupt('SIGTERM');
  expect((await served.done).code).toBe(0);
}

it('a job fires under pincer gateway run, and what it would change waits as a review until a client answers', async () => {
  server.script(
    toolCallAnswer([{ name: 'write', arguments: { path: 'log.md', content: 'day two\n' } }]),
    textAnswer('Written.'),
  );
  await settle();
  // Soon enough to come while it is served; a machine that is slower than that makes up for it.
  const at = new Date(Date.now() + 6_000).toISOString();
  await cli.json(['cron', 'add', '-m', 'Write the log.', '--at', at]);
  const { served, port } = await serve();
  // Nobody is there yet: silence is no yes, and no no either.
  await until(() => expect(server.requests).toHaveLength(1));
  using client = await openGatewayClient(port, { token });
  await until(async () => {
    const { payload } = await client.ask('approvals.list');
    expect(JSON.stringify(payload)).toContain('Write log.md');
  });
  expect(await log()).toBe('day one\n');
  expect((await cli.run(['approvals', 'list'], { env })).stdout).toMatch(/Write log\.md/u);
  expect((await cli.json(['approvals', 'list'], { env })).value).toMatchObject({
    approvals: [{ isWhole: true, call: expect.stringContaining('+day two') as string }],
  });
  // Without a terminal nobody reads what a yes would be to.
  expect(await cli.run(['approvals', 'review'], { env })).toMatchObject({ code: 2, stdout: '' });
  const { payload } = await client.ask('approvals.list');
  const { id } = (payload as { readonly approvals: readonly { readonly id: string }[] }).approvals[0] ?? {};
  expect((await client.ask('approvals.resolve', { id, decision: 'allow-once' })).ok).toBe(true);
  await until(async () => expect(await log()).toBe('day two\n'));
  await until(async () => expect((await cli.run(['cron', 'list'])).stdout).toMatch(/ok .*Write the log/u));
  expect(await cli.run(['approvals', 'list'], { env })).toMatchObject({
    stdout: 'Nothing waits for an answer.\n',
  });
  await end(served);
  expect((await cli.run(['approvals', 'list'], { env })).stderr).toContain(
    'No gateway of this workspace runs.',
  );
});

it('telegram without an editor: a sender is paired on the command line, a question answered, a write refused', async () => {
  server.script(
    textAnswer('The log says day one.'),
    toolCallAnswer([{ name: 'write', arguments: { path: 'log.md', content: 'mine\n' } }]),
    textAnswer('I can not write it.'),
  );
  const botToken = telegram.token;
  await settle({
    plugins: { entries: { telegram: { enabled: true } } },
    channels: { telegram: { enabled: true, botToken, apiRoot: telegram.apiRoot, pollSeconds: 1 } },
  });
  const { served } = await serve();
  const says = (text: string): Promise<unknown> =>
    telegram.called('sendMessage', (params) => String(params['text']).includes(text));
  telegram.write({ text: 'Hello?' });
  await says('Give this code to the owner');
  const asked = telegram.calls.find(({ method }) => method === 'sendMessage');
  const code = /owner: (?<code>\w{8})/u.exec(String(asked?.params['text']))?.groups?.['code'] ?? '';
  expect((await cli.run(['channels', 'pair', code])).stdout).toContain('is approved to ask and read');
  telegram.write({ text: 'What does the log say?' });
  await says('The log says day one.');
  telegram.write({ text: 'Write it anew.' });
  await says('I can not write it.');
  expect(await log()).toBe('day one\n');
  expect(JSON.stringify(server.requests.at(-1))).toContain('may change something');
  await end(served);
});

it('an agent restarts the gateway once a client allows it: the program serves on, on the same port', async () => {
  server.script(
    toolCallAnswer([{ name: 'gateway', arguments: { action: 'restart' } }]),
    textAnswer('It restarts now.'),
  );
  await settle({ tools: { alsoAllow: ['gateway'] } });
  const { served, port } = await serve();
  const address = `http://127.0.0.1:${String(port)}`;
  using client = await openGatewayClient(port, { token });
  const answer = fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'openclaw', messages: [{ role: 'user', content: 'Restart it.' }] }),
  });
  const { payload } = await client.hear('approvals.requested');
  expect(JSON.stringify(payload)).toContain('Restart the gateway');
  const { approvals } = (await client.ask('approvals.list')).payload as {
    readonly approvals: readonly { readonly id: string }[];
  };
  const [{ id }] = approvals as [{ id: string }];
  expect((await client.ask('approvals.resolve', { id, decision: 'allow-once' })).ok).toBe(true);
  expect(await (await answer).text()).toContain('It restarts now.');
  await client.closed;
  await until(async () => expect((await fetch(`${address}/healthz`)).ok).toBe(true));
  using again = await openGatewayClient(port, { token });
  expect(again.hello.ok).toBe(true);
  await end(served);
});
