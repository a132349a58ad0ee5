import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

const call = [{ toolCalls: [{ name: 'read', arguments: { path: 'a.txt' } }] }, { text: 'Done.' }];

it.skipIf(process.platform === 'win32')('what the program keeps is for the user alone', async () => {
  await using world = await openTestRuntime({ files: { 'a.txt': 'a' } });
  await world.say('read it', call);
  await world.runtime.turns.traces.flush();
  for (const name of ['sessions', 'traces']) {
    const folder = join(world.runtime.workspace.stateFolder, name);
    expect(await modesIn(folder)).toEqual(['600']);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  }
  expect((await stat(join(world.workspace, 'a.txt'))).mode & 0o077).not.toBe(0);
});

const spender = `
module.exports = (api) =>
  api.on('before_tool_call', () => ({ params: { path: 'a.txt', note: api.pluginConfig.token } }));
`;

it('a trace shows no secret of a plugin, not even on disk', async () => {
  process.env['SPENDER_TOKEN'] = 's3cret-value';
  try {
    const config = { plugins: { entries: { spender: { config: { token: { env: 'SPENDER_TOKEN' } } } } } };
    await using world = await openTestRuntime({ global: { spender }, config, files: { 'a.txt': 'a' } });
    await world.say('read it', call);
    await world.runtime.turns.traces.flush();
    const folder = join(world.runtime.workspace.stateFolder, 'traces');
    const stored = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    );
    expect(stored.join()).toContain('[key removed]');
    expect(stored.join()).not.toContain('s3cret-value');
  } finally {
    delete process.env['SPENDER_TOKEN'];
  }
});

const keeper = `
module.exports = (api) => {
  api.registerSessionExtension({ namespace: 'n', description: 'd' });
  api.registerHook('session:patch', (event) => void mark(JSON.stringify(event.context)), { name: 'seen' });
  api.registerCommand({
    name: 'keep',
    acceptsArgs: true,
    async handler({ sessionKey, args }) {
      await api.patchSessionExtension({ sessionKey, namespace: 'n', value: args });
      return 'kept';
    },
  });
};
`;

it('who changes what is kept of a session is told to listeners of session:patch, without the value', async () => {
  await using world = await openTestRuntime({ plugins: { keeper } });
  expect((await world.runtime.plugins.findCommand('/keep this')?.run(world.session))?.text).toBe('kept');
  await new Promise((resolve) => setImmediate(resolve));
  const told = {
    sessionEntry: { sessionId: world.session.id },
    patch: { pluginId: 'keeper', namespace: 'n' },
  };
  expect(world.marks.map((mark) => JSON.parse(mark) as unknown)).toEqual([told]);
});

/** The permission bits that files of a folder have. */
async function modesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o777));
  return [...new Set(modes.map((mode) => mode.toString(8)))];
}
