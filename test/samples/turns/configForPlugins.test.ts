import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

/** Marks the config as a plugin gets it at each place. */
const reader = `module.exports = (api) => {
  const tell = (where, config) => mark(JSON.stringify([where, config]));
  tell('api.config', api.config);
  api.config.tools.exec.ask = 'changed by the plugin';
  api.on('gateway_start', (event, ctx) => tell('gateway_start', ctx.config));
  api.on('gateway_stop', (event, ctx) => tell('gateway_stop', ctx.config));
  api.registerService({ id: 'reader', start: (ctx) => tell('service', ctx.config) });
  api.registerCommand({ name: 'reader', description: 'Reads.', handler: (ctx) => {
    tell('command', ctx.config);
    return { text: 'ok' };
  } });
  api.registerTool((ctx) => ({
    name: 'read_config', description: 'Reads.', parameters: { type: 'object', properties: {} },
    execute: async () => {
      tell('tool', ctx.config);
      tell('getRuntimeConfig', ctx.getRuntimeConfig());
      tell('current', api.runtime.config.current());
      tell('loadConfig', api.runtime.config.loadConfig());
      return { content: [{ type: 'text', text: 'ok' }] };
    },
  }));
};`;

const secret = 'hunter2-hunter2';

const config = {
  model: 'local/m',
  agent: { limits: { maxMinutes: 5 } },
  agents: { writer: { name: 'Writer', default: true, tools: { deny: ['exec'] } } },
  models: {
    providers: {
      local: {
        api: 'openai-compatible',
        baseUrl: `http://user:${secret}@localhost:1/v1`,
        headers: { 'X-Anything': secret },
        models: [{ id: 'm' }],
      },
    },
  },
  tts: { providers: { voice: { key: secret, subscriptionKey: secret } } },
  session: { reset: { mode: 'idle', idleMinutes: 7 } },
  tools: { deny: ['web_fetch'], exec: { ask: 'always' } },
  hooks: { internal: { entries: { notes: { enabled: false, env: { NOTES: secret }, own: secret } } } },
  plugins: {
    slots: { memory: 'none' },
    entries: { reader: { config: { colour: 'red' } }, other: { config: { word: secret } } },
  },
};

const roots: string[] = [];
afterAll(() => Promise.all(roots.map((root) => rm(root, { recursive: true }))));

async function newRoot(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-config-')));
  roots.push(root);
  return root;
}

function marksOf(marks: readonly string[], place: string): readonly Record<string, never>[] {
  return marks
    .map((each) => JSON.parse(each) as [string, Record<string, never>])
    .flatMap(([where, seen]) => (where === place ? [seen] : []));
}

it('shows plugins the config that holds, with every default, at each place that upstream shows it', async () => {
  const world = await openTestRuntime({
    global: { reader },
    config,
    files: { '.pincer/config.jsonc': JSON.stringify({ tools: { deny: ['write'] } }) },
  });
  {
    await using test = world;
    await test.say('read', [{ toolCalls: [{ name: 'read_config', arguments: {} }] }, { text: 'done' }]);
    const command = test.runtime.plugins.commands().find(({ name }) => name === 'reader');
    await command?.run('', { channel: 'cli' });
  }
  for (const place of [
    'api.config',
    'gateway_start',
    'service',
    'tool',
    'current',
    'command',
    'gateway_stop',
  ])
    expect(marksOf(world.marks, place)[0], place).toMatchObject({
      agents: {
        defaults: { workspace: world.workspace, model: { primary: 'local/m', fallbacks: [] } },
        list: [
          { id: 'main', default: false },
          { id: 'writer', name: 'Writer', default: true, tools: { deny: ['exec'] } },
        ],
      },
      agent: { maxRounds: 40, limits: { maxMinutes: 5, maxToolCalls: 200 } },
      models: { providers: { local: { api: 'openai-compatible', models: [{ id: 'm' }] } } },
      session: { reset: { mode: 'idle', idleMinutes: 7 } },
      tools: { deny: ['web_fetch', 'write'], exec: { ask: 'always', security: 'allowlist' } },
      plugins: {
        enabled: true,
        slots: { memory: 'none' },
        entries: { reader: { config: { colour: 'red' } } },
      },
    });
});

it('shows plugins no secret, and of other plugins and hooks nothing but their names', async () => {
  const test = await openTestRuntime({ global: { reader }, config });
  await test[Symbol.asyncDispose]();
  expect(test.marks.length).toBeGreaterThan(2);
  for (const mark of test.marks) {
    expect(mark).not.toContain(secret);
    expect(mark).not.toContain('"other"');
  }
  expect(marksOf(test.marks, 'api.config')).toMatchObject([
    {
      models: { providers: { local: { headers: { 'X-Anything': '[key removed]' } } } },
      hooks: { internal: { entries: { notes: { enabled: false } } } },
    },
  ]);
});

it('shows a change at once where upstream does, without loading the plugin again', async () => {
  const root = await newRoot();
  await using test = await openTestRuntime({ root, global: { reader }, config });
  const file = join(root, 'home', 'config.jsonc');
  const read = JSON.parse(await readFile(file, 'utf8')) as typeof config;
  await writeFile(file, JSON.stringify({ ...read, session: { reset: { mode: 'daily' } } }));
  await test.say('read', [{ toolCalls: [{ name: 'read_config', arguments: {} }] }, { text: 'done' }]);
  for (const place of ['getRuntimeConfig', 'current', 'loadConfig'])
    expect(marksOf(test.marks, place), place).toMatchObject([{ session: { reset: { mode: 'daily' } } }]);
  expect(marksOf(test.marks, 'api.config')).toMatchObject([{ session: { reset: { mode: 'idle' } } }]);
});

it('holds requires.config of a HOOK.md against the config', async () => {
  const hook = (name: string, path: string): string =>
    `---\nname: ${name}\ndescription: d\nmetadata: {"openclaw":{"events":["command:new"],"requires":{"config":["${path}"]}}}\n---\n`;
  const hooks = {
    model: 'model',
    other: 'plugins.entries.other.config.word',
    none: 'plugins.entries.other.config.x',
  };
  const root = await newRoot();
  for (const [name, path] of Object.entries(hooks)) {
    const folder = join(root, 'home', 'hooks', name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'HOOK.md'), hook(name, path));
    await writeFile(join(folder, 'handler.js'), 'export default () => undefined;');
  }
  await using test = await openTestRuntime({
    root,
    config: { ...config, hooks: { internal: { enabled: true } } },
  });
  const list = test.runtime.plugins.operatorHooks.list();
  expect(list.map(({ name, status, reason }) => [name, status, reason])).toEqual([
    ['model', 'loaded', 'enabled'],
    ['none', 'disabled', 'needs config plugins.entries.other.config.x'],
    ['other', 'loaded', 'enabled'],
  ]);
});
