import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { channelConfig, openChannelWorld } from './channelWorld.ts';
import { until } from '../../builders/until.ts';

const stateOf = (world: Awaited<ReturnType<typeof openChannelWorld>>) => {
  const [channel] = world.runtime.channels.list();
  return [channel?.state, channel?.accounts[0]?.reason ?? channel?.reason];
};

it('a channel runs once the user has enabled it, with the account that its plugin finds, and stops with the runtime', async () => {
  const world = await openChannelWorld();
  expect(world.runtime.channels.list()).toMatchObject([
    {
      id: 'post',
      label: 'Post',
      pluginId: 'post',
      state: 'running',
      accounts: [{ id: 'default', state: 'running' }],
    },
  ]);
  expect(world.post.started).toEqual(['default letter-box-key']);
  await world[Symbol.asyncDispose]();
  expect(world.post.stopped).toEqual(['default']);
});

it('a channel that the user has not enabled never starts, and says how to switch it on', async () => {
  await using world = await openChannelWorld({ config: channelConfig({ enabled: false }) });
  expect(world.post.started).toEqual([]);
  expect(stateOf(world)).toEqual(['off', 'it is off; set channels.post.enabled to true in your config']);
});

it('a workspace can only keep a channel off: its config switches none on, and none of its plugins runs one', async () => {
  const workspace = (channels: object) => ({ '.pincer/config.jsonc': JSON.stringify({ channels }) });
  await using on = await openChannelWorld({
    config: { model: 'replay/post' },
    files: workspace({ post: { enabled: true, token: 'theirs' } }),
  });
  expect(on.post.started).toEqual([]);
  expect(on.runtime.workspace.diagnostics()).toContainEqual(
    expect.objectContaining({
      code: 'config_workspace_ignored',
      message: expect.stringContaining('channels') as string,
    }),
  );
  await using off = await openChannelWorld({ files: workspace({ post: { enabled: false } }) });
  expect(stateOf(off)).toEqual(['off', "the workspace's config switches it off"]);
});

it('no channel runs in a workspace that is not trusted', async () => {
  await using world = await openChannelWorld({ isTrusted: false });
  expect(world.post.started).toEqual([]);
});

it('an account that lacks something stays off with the reason of its plugin', async () => {
  await using world = await openChannelWorld({ config: channelConfig({ token: undefined }) });
  expect(stateOf(world)).toEqual(['off', 'channels.post.token is missing']);
});

it('a token is named in the config and read from its place; other plugins and the log never see it', async () => {
  await using world = await openChannelWorld({
    config: channelConfig({ token: { env: 'POST_TOKEN' } }),
    adjustHost: (host) => ({ ...host, env: { ...host.env, POST_TOKEN: 'from-the-environment' } }),
    global: {
      spy: `module.exports = (api) => mark(JSON.stringify(api.runtime.config.loadConfig().channels ?? null));`,
    },
  });
  expect(world.post.started).toEqual(['default from-the-environment']);
  expect(world.marks.join()).not.toContain('from-the-environment');
  world.post.startFails = new Error('401 for from-the-environment');
  await world.runtime.channels.restart('post', 'default');
  await until(() => expect(stateOf(world)).toEqual(['waiting', '401 for [removed]']));
  const lines = await world.runtime.channels.logs('post');
  expect(lines.map(({ text }) => text).join('\n')).not.toContain('from-the-environment');
});

it('an account that fails is started again, later each time, and gives up in the end; a person starts it at once', async () => {
  await using world = await openChannelWorld();
  world.post.startFails = new Error('the server is down');
  await world.runtime.channels.restart('post', 'default');
  await until(() => expect(stateOf(world)).toEqual(['waiting', 'the server is down']));
  delete world.post.startFails;
  await world.runtime.channels.restart('post', 'default');
  await until(() => expect(stateOf(world)[0]).toBe('running'));
});

it('a restart takes the config as it stands on disk, and starts an account once', async () => {
  await using world = await openChannelWorld();
  const byHand = async (more: object): Promise<void> =>
    await writeFile(
      join(world.runtime.workspace.home, 'config.jsonc'),
      `// By hand.\n${JSON.stringify(channelConfig(more))}`,
    );
  await byHand({ token: 'another-key' });
  await world.runtime.channels.restart('post', 'default');
  await until(() => expect(world.post.started).toHaveLength(2));
  expect(world.post.started).toEqual(['default letter-box-key', 'default another-key']);
  expect(world.post.stopped).toEqual(['default']);

  // Unchanged, it is started again all the same.
  await world.runtime.channels.restart('post', 'default');
  await until(() => expect(world.post.started).toHaveLength(3));
  expect(world.post.started.at(-1)).toBe('default another-key');

  await byHand({ token: undefined });
  await world.runtime.channels.restart('post', 'default');
  expect(stateOf(world)).toEqual(['off', 'channels.post.token is missing']);
});

it('a second runtime of the workspace leaves the channels to the first, and takes them over when that one ends', async () => {
  await using world = await openChannelWorld();
  const root = world.workspace.replace(/\/workspace$/u, '');
  const { openTestRuntime } = await import('../../builders/openTestRuntime.ts');
  await using second = await openTestRuntime({ root, config: channelConfig(), withoutRealBundled: true });
  await second.runtime.channels.start();
  expect(second.runtime.channels.list()).toMatchObject([{ state: 'elsewhere' }]);
  expect(world.post.started).toHaveLength(1);
});
