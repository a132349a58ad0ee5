import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { startServing } from '../../../src/cli/commands/gatewayCommand.ts';
import { openGateway, runningPort } from '../../builders/openGateway.ts';
import { openGatewayClient } from '../../builders/openGatewayClient.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

it('is off until it is switched on, and a workspace can only keep it off', async () => {
  const files = { '.pincer/config.jsonc': '{ "gateway": { "enabled": true, "port": 1 } }' };
  await using off = await openTestRuntime({ files });
  await off.runtime.gateway.sync();
  expect(off.runtime.gateway.status()).toEqual({ state: 'off' });
  expect(off.runtime.workspace.diagnostics().map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('gateway.enabled is ignored'),
      expect.stringContaining('gateway.port is ignored'),
    ]),
  );
  await using kept = await openTestRuntime({
    config: { gateway: { enabled: true, port: 0 } },
    files: { '.pincer/config.jsonc': '{ "gateway": { "enabled": false } }' },
  });
  await kept.runtime.gateway.sync();
  expect(kept.runtime.gateway.status()).toEqual({ state: 'off' });
});

it('starts and stops at the command of the user', async () => {
  await using test = await openTestRuntime({ config: { gateway: { port: 0 } } });
  const { gateway } = test.runtime;
  expect(await gateway.start()).toMatchObject({ state: 'running' });
  const port = await runningPort(test);
  const url = `http://127.0.0.1:${String(port)}/healthz`;
  expect((await fetch(url)).ok).toBe(true);
  await gateway.stop();
  expect(gateway.status()).toEqual({ state: 'off' });
  await expect(fetch(url)).rejects.toThrow();
});

it('never runs in a restricted window, and ends when trust is lost', async () => {
  await using restricted = await openTestRuntime({
    isTrusted: false,
    config: { gateway: { enabled: true, port: 0 } },
  });
  expect(await restricted.runtime.gateway.start()).toMatchObject({ error: { code: 'gateway_untrusted' } });
  await using trusted = await openGateway();
  await trusted.runtime.workspace.update({ folders: [trusted.workspace], isTrusted: false });
  await trusted.runtime.gateway.sync();
  expect(trusted.runtime.gateway.status()).toEqual({ state: 'off' });
});

it('says which port is taken', async () => {
  await using first = await openGateway();
  await using second = await openTestRuntime({ config: { gateway: { enabled: true, port: first.port } } });
  await second.runtime.gateway.sync();
  expect(second.runtime.gateway.status()).toMatchObject({
    state: 'failed',
    error: { code: 'gateway_port_taken' },
  });
});

it('tries again once the config differs from the one that failed, and not before', async () => {
  await using first = await openGateway();
  const gateway = { enabled: true, port: first.port };
  let starts = 0;
  await using second = await openTestRuntime({
    config: { gateway },
    adjustHost: (host) => ({
      ...host,
      workers: {
        start(file) {
          if (file.includes('gateway')) starts += 1;
          return host.workers.start(file);
        },
      },
    }),
  });
  const { runtime } = second;
  const write = (config: object): Promise<void> =>
    writeFile(join(second.workspace, '../home/config.jsonc'), JSON.stringify(config));
  await runtime.gateway.sync();
  await write({ gateway, agents: { defaults: {} } });
  await runtime.workspace.catchUp();
  await runtime.gateway.sync();
  expect(runtime.gateway.status()).toMatchObject({ error: { code: 'gateway_port_taken' } });
  expect(starts).toBe(1);
  await write({ gateway: { ...gateway, port: 0 } });
  await runtime.workspace.catchUp();
  await runtime.gateway.sync();
  expect(runtime.gateway.status()).toMatchObject({ state: 'running' });
});

it('starts jobs and channels on the command line only once it serves', async () => {
  await using first = await openGateway();
  const serve = async (port: number): Promise<{ readonly url: unknown; readonly started: string[] }> => {
    await using test = await openTestRuntime({ config: { gateway: { port } } });
    const { gateway } = test.runtime;
    const started: string[] = [];
    const start = async (what: string): Promise<void> => {
      await Promise.resolve(started.push(`${what} while ${gateway.status().state}`));
    };
    const url = await startServing({
      gateway,
      schedule: { start: () => start('jobs') },
      channels: { start: () => start('channels') },
    }).catch((error: unknown) => error);
    return { url, started };
  };
  expect(await serve(first.port)).toMatchObject({ url: { code: 'gateway_port_taken' }, started: [] });
  expect(await serve(0)).toEqual({
    url: expect.stringMatching(/^http:\/\/127/u) as unknown,
    started: ['jobs while running', 'channels while running'],
  });
});

it('runs once in a workspace: a second window knows the port of the first, and takes over when that is gone', async () => {
  await using first = await openGateway();
  const root = dirname(first.workspace);
  await using second = await openTestRuntime({ root, config: { gateway: { enabled: true, port: 0 } } });
  await second.runtime.gateway.sync();
  expect(second.runtime.gateway.status()).toEqual({ state: 'elsewhere', port: first.port });
  await first.runtime.stop('shutdown');
  expect(await second.runtime.gateway.start()).toMatchObject({ state: 'running' });
});

it('tells plugins its port when they begin, and begins them anew where it starts later', async () => {
  const plugin = `module.exports = (api) => {
    api.on('gateway_start', ({ port }, ctx) => mark('start ' + port + ' ' + ctx.port));
    api.on('gateway_stop', ({ reason }) => mark('stop ' + reason));
  };`;
  await using test = await openTestRuntime({ global: { ports: plugin }, config: { gateway: { port: 0 } } });
  await expect.poll(() => test.marks).toEqual(['start undefined undefined']);
  await test.runtime.gateway.start();
  const port = String(await runningPort(test));
  await expect
    .poll(() => test.marks)
    .toEqual(['start undefined undefined', 'stop restart', `start ${port} ${port}`]);
});

it('has ended when the runtime has', async () => {
  const gateway = await openGateway();
  await gateway[Symbol.asyncDispose]();
  await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
});

it('takes nothing of what its thread still brings once it has stopped', async () => {
  const again: (() => void)[] = [];
  await using test = await openGateway({
    adjustHost: (host) => ({
      ...host,
      workers: {
        start(file) {
          const thread = host.workers.start(file);
          return {
            ...thread,
            onMessage: (listener) =>
              thread.onMessage((message) => {
                if (JSON.stringify(message).includes('"joined"')) again.push(() => listener(message));
                listener(message);
              }),
          };
        },
      },
    }),
  });
  const { gateway } = test.runtime;
  {
    // The second one's number is not taken again by the first of the next thread.
    using _first = await openGatewayClient(test.port);
    using _second = await openGatewayClient(test.port);
    await gateway.stop();
  }
  expect(again).toHaveLength(2);
  for (const bring of [...again]) bring();
  await gateway.start();
  using client = await openGatewayClient(await runningPort(test));
  const { payload } = await client.ask('status');
  expect(payload).toMatchObject({ presence: [expect.anything()] });
});
