import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createProgram } from '../../../src/cli/createProgram.ts';
import { addModel } from '../agents/agentWorld.ts';
import { runningPort } from '../../builders/openGateway.ts';
import { gatewayToken } from '../../builders/openTestRuntime.ts';
import { channelConfig, openChannelWorld, type ChannelWorld } from './channelWorld.ts';
import { until } from '../../builders/until.ts';

const pincer = (world: ChannelWorld, ...args: readonly string[]): Promise<string> =>
  pincerWith(gatewayToken, world, ...args);

async function pincerWith(token: string, world: ChannelWorld, ...args: readonly string[]): Promise<string> {
  const root = join(world.workspace, '..');
  vi.stubEnv('PINCER_HOME', join(root, 'home'));
  vi.stubEnv('PINCER_GATEWAY_TOKEN', token);
  let out = '';
  let err = '';
  try {
    const program = createProgram({ out: (text) => void (out += text), err: (text) => void (err += text) });
    const where = ['--workspace', world.workspace, '--state-dir', join(root, 'state')];
    const code = await program.run(['channels', ...args, ...where]);
    return code === 0 ? out : `${String(code)}: ${err}`;
  } finally {
    vi.unstubAllEnvs();
  }
}

it('the command line sees how accounts stand in the process that serves them, and who waits, and lets a sender in', async () => {
  await using world = await openChannelWorld();
  await until(async () => expect(await pincer(world, 'status')).toMatch(/post +default +running/u));
  expect(await pincer(world, 'pair')).toBe('Nobody waits for approval.\n');
  await world.post.receive({ id: '1', text: 'Hello?' });
  expect(await pincer(world, 'pair')).toContain('Ann');
  const [request] = await world.runtime.channels.pairings();
  expect(await pincer(world, 'pair', request?.code ?? '', '--owner')).toBe(
    'Ann on post is approved as owner.\n',
  );
  addModel(world, 'post', [{ text: 'Hi.' }]);
  await world.post.receive({ id: '2', text: 'Now?' });
  expect(world.post.delivered.at(-1)?.text).toBe('Hi.');
  expect(await pincer(world, 'pair', 'WRONGONE')).toContain('Nobody waits or is paired as WRONGONE');
  expect(await pincer(world, 'mute', 'direct:42')).toBe('Ann is muted.\n');
  await world.post.receive({ id: '3', text: 'And now?' });
  expect(world.post.delivered).toHaveLength(2);
  expect(await pincer(world, 'list', '--conversations')).toContain('muted');
  expect(await pincer(world, 'unpair', '42')).toBe('42 on post no longer has access.\n');
  expect(await pincer(world, 'logs', 'post')).not.toContain('And now?');
});

it('the command line has the process that serves them start accounts again, by its gateway', async () => {
  await using world = await openChannelWorld({
    config: { ...channelConfig(), gateway: { enabled: true, port: 0 } },
  });
  await runningPort(world);
  await until(() => expect(world.post.started).toHaveLength(1));
  expect(await pincer(world, 'restart', 'post')).toMatch(/default +(?:starting|running)/u);
  await until(() => expect(world.post.stopped).toEqual(['default']));
  await until(() => expect(world.post.started).toHaveLength(2));
  expect(await pincer(world, 'restart', 'post', '--account', 'other')).toContain('There is no channel post');
  expect(await pincer(world, 'restart', 'pigeons')).toContain('There is no channel pigeons.');
  for (const [token, said] of [
    ['', 'PINCER_GATEWAY_TOKEN is not set.'],
    ['x'.repeat(43), 'PINCER_GATEWAY_TOKEN is not the token of the gateway.'],
  ] as const) {
    const refused = await pincerWith(token, world, 'restart', 'post');
    expect(refused).toContain(said);
    expect(refused).toContain('Pincer: Copy Gateway Token');
  }
  expect(world.post.started).toHaveLength(2);
  await world.runtime.gateway.stop();
  expect(await pincerWith('', world, 'restart', 'post')).toContain('No gateway of this workspace runs.');
  expect(await pincer(world, 'restart', 'post')).toContain('No gateway of this workspace runs.');
});
