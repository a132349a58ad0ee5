import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noPluginsConfig, openDextoWorld, type DextoWorld } from '../../../test/builders/openDextoWorld.ts';

const first = { name: 'first', priority: 1 };
const second = { name: 'second', priority: 2 };

let world: DextoWorld;

beforeEach(async () => {
  world = await openDextoWorld();
});

afterEach(() => world.close());

describe('createDextoPlugins', () => {
  it('runs nothing and has no problem without an agent file', async () => {
    await world.load();
    expect(world.points.has('beforeLLMRequest')).toBe(false);
    expect(world.plugins.plugins()).toEqual([]);
    expect(world.plugins.problem()).toBeUndefined();
    expect(world.plugins.agentFile()).toBeUndefined();
  });

  it('loads all plugins before it initializes any, lower priority first', async () => {
    await world.writeAgent([second, first]);
    await world.loadAndAgree();
    world.clear();
    await world.plugins.reload();
    expect(world.events).toEqual([
      ...['second loads', 'first loads', 'first begins', 'second begins'],
      ...['second ends', 'first ends'],
    ]);
    expect(await world.ask()).toBe('first second');
    expect(world.states()).toEqual(['first loaded', 'second loaded']);
  });

  it('lets a plugin of the workspace wait for consent, as no part of the set', async () => {
    await world.writeAgent([first, second]);
    await world.load();
    expect(world.events).toEqual([]);
    expect(world.record('first')).toMatchObject({
      id: 'dexto:first',
      origin: 'workspace',
      status: 'disabled',
      needsConsent: { why: 'never-enabled' },
      asks: { conversation: true, reaches: [] },
      diagnostics: [{ code: 'plugin_disabled', fixes: [{ kind: 'enable-plugin', pluginId: 'dexto:first' }] }],
    });
    await world.plugins.grantConsent('dexto:second');
    expect(await world.ask()).toBe('second');
    expect(world.states()).toEqual(['second loaded', 'first disabled']);
  });

  it('stops turns while a blocking plugin of the file waits for consent, by its name and with what to do', async () => {
    await world.writeAgent([first, second]);
    await world.load();
    await world.plugins.grantConsent('dexto:second');
    expect(world.plugins.problem()).toMatchObject({
      code: 'dexto_guard_waits',
      message: expect.stringContaining('The plugin first of the agent file') as unknown,
      hint: expect.stringMatching(/enable it, switch it off, or take it out of the agent file/u) as unknown,
      fixes: [
        { kind: 'enable-plugin', pluginId: 'dexto:first' },
        { kind: 'disable-plugin', pluginId: 'dexto:first' },
      ],
    });
    await world.plugins.grantConsent('dexto:first');
    expect(world.plugins.problem()).toBeUndefined();
  });

  it('stops no turn for a plugin that waits and is not blocking, is switched off, or that the file does not list', async () => {
    await world.writeAgent([
      { ...first, blocking: false },
      { ...second, entry: ['enabled: false'] },
    ]);
    await world.load();
    expect(world.record('first').needsConsent?.why).toBe('never-enabled');
    expect(world.plugins.problem()).toBeUndefined();
    await world.writeAgent([first]);
    await world.load({ config: { ...noPluginsConfig, entries: { 'dexto:first': { enabled: false } } } });
    expect(world.plugins.problem()).toBeUndefined();
    await world.writeAgent([]);
    await world.load();
    expect(world.plugins.problem()).toBeUndefined();
  });

  it('lets code that lies in the workspace wait, whoever names it: the agent can change it there', async () => {
    const code = await world.writeCode(first);
    const entry = `{ name: first, module: ${code}, priority: 1 }`;
    const agentFile = await world.write('home/a/agent.yml', `plugins: { custom: [${entry}] }`);
    await world.load({ agentFile });
    expect(world.events).toEqual([]);
    expect(world.record('first')).toMatchObject({
      origin: 'workspace',
      needsConsent: { why: 'never-enabled' },
    });
    await world.plugins.grantConsent('dexto:first');
    expect(await world.ask()).toBe('first');
    await world.writeCode({ name: 'first', says: 'by the agent' });
    await world.plugins.filesChanged([]);
    expect(await world.ask()).toBe('first');
  });

  it('agrees to nothing but what the user has seen', async () => {
    await world.writeAgent([first]);
    await world.load();
    await expect(world.plugins.grantConsent('dexto:first', 'other')).rejects.toMatchObject({
      code: 'plugin_changed',
    });
    await expect(world.plugins.grantConsent('dexto:none')).rejects.toMatchObject({ code: 'plugin_unknown' });
    await world.plugins.grantConsent('dexto:first', world.record('first').needsConsent?.hash);
    await expect(world.plugins.grantConsent('dexto:first')).rejects.toMatchObject({
      code: 'plugin_needs_no_consent',
    });
  });

  it('loads nothing again where nothing has changed', async () => {
    await world.writeAgent([first]);
    await world.loadAndAgree();
    world.clear();
    await world.load();
    await world.plugins.filesChanged([]);
    expect(world.events).toEqual([]);
  });

  it('takes over other sections of the file without loading plugins again', async () => {
    await world.writeAgent([first]);
    await world.loadAndAgree();
    world.clear();
    await world.writeAgent([first], 'systemPrompt: Be short.\n');
    await world.load();
    expect(world.plugins.agentFile()?.systemPrompt).toMatchObject([{ content: 'Be short.' }]);
    expect(world.events).toEqual([]);
  });

  it('uses nothing of the file in a window that is not trusted', async () => {
    await world.writeAgent([first]);
    await world.loadAndAgree();
    await world.load({ trusted: false });
    expect(world.events.at(-1)).toBe('first ends');
    expect(world.points.has('beforeLLMRequest')).toBe(false);
    expect(world.plugins.plugins()).toEqual([]);
    expect(world.plugins.agentFile()).toBeUndefined();
    await world.plugins.reload();
    expect(world.events.at(-1)).toBe('first ends');
  });

  it('cleans up all, the last one first, once the file is gone', async () => {
    await world.writeAgent([first, second]);
    await world.loadAndAgree();
    world.clear();
    await rm(world.agentFile());
    await world.plugins.filesChanged([]);
    expect(world.events).toEqual(['second ends', 'first ends']);
    expect(world.plugins.plugins()).toEqual([]);
    expect(world.plugins.problem()).toBeUndefined();
  });

  it('cleans up when it closes', async () => {
    await world.writeAgent([first]);
    await world.loadAndAgree();
    await world.plugins.close();
    expect(world.events.at(-1)).toBe('first ends');
    expect(world.points.has('beforeLLMRequest')).toBe(false);
    await world.load();
    expect(world.events.at(-1)).toBe('first ends');
  });

  it('runs the plugins of the file that the user names without asking, from where they lie', async () => {
    await world.writeAgent([first], '', 'home/agent');
    await world.load({ agentFile: '~/agent/agent.yml' });
    expect(await world.ask()).toBe('first');
    expect(world.record('first')).toMatchObject({
      origin: 'config',
      rootDir: join(world.root, 'home/agent/dexto/first'),
    });
    await world.load({ agentFile: '~/agent/none.yml' });
    expect(world.plugins.problem()).toMatchObject({ code: 'agent_file_unreadable', level: 'error' });
    expect(await world.ask()).toBe('');
  });

  it('runs a package with what it depends on, from a copy of what was agreed to', async () => {
    const install = async (name: string, json: string, code: string): Promise<void> => {
      await world.write(`w/.pincer/node_modules/${name}/package.json`, `{"name":"${name}",${json}}`);
      await world.write(`w/.pincer/node_modules/${name}/index.js`, code);
    };
    await install('tides', '"version":"1.2.3","type":"module"', "export const word = 'ebb';");
    const answers = 'beforeLLMRequest() { return { ok: true, modify: { text: word } }; }';
    const code = `import { word } from 'tides';\nexport default class { ${answers} }`;
    await install('guard', '"version":"2.0.0","type":"module","dependencies":{"tides":"1"}', code);
    const entry = '{ name: guard, module: guard, blocking: true, priority: 1 }';
    await world.write('w/.pincer/agent.yml', `plugins:\n  custom: [${entry}]\n`);
    await world.loadAndAgree();
    expect(await world.ask()).toBe('ebb');
    expect(world.record('guard')).toMatchObject({
      version: '2.0.0',
      rootDir: join(world.root, 'w/.pincer/node_modules/guard'),
    });
    await install('tides', '"version":"1.2.4","type":"module"', "export const word = 'flood';");
    await world.load();
    expect(world.record('guard').needsConsent?.why).toBe('files-changed');
    expect(await world.ask()).toBe('ebb');
  });

  it('asks about a file in the workspace even where the user names it', async () => {
    await world.writeAgent([first], '', 'w/agents');
    await world.load({ agentFile: world.agentFile('w/agents') });
    expect(world.record('first').needsConsent?.why).toBe('never-enabled');
  });

  it('takes secrets of the file out of texts', async () => {
    const own = await openDextoWorld({ env: { TENANT_KEY: 'tide-tables-7' } });
    await own.writeAgent([{ ...first, entry: ['config: { key: $TENANT_KEY, apiToken: "plain-secret" }'] }]);
    await own.load();
    expect(own.plugins.redact('tide-tables-7 and plain-secret')).toBe('[key removed] and [key removed]');
    await own.close();
  });

  it('watches the agent file, there or not, and the files of its plugins', async () => {
    await world.load();
    expect(world.plugins.watches(world.agentFile())).toBe(true);
    await world.writeAgent([first]);
    await world.load();
    expect(world.plugins.watches(join(world.root, 'w/.pincer/dexto/first/index.js'))).toBe(true);
    expect(world.plugins.watches(join(world.root, 'w/.pincer/dexto/second/index.js'))).toBe(false);
    expect(world.plugins.watches(join(world.root, 'w/readme.md'))).toBe(false);
  });

  it('lists what plugins are, where they are asked and how they do', async () => {
    await world.writeAgent([first, { ...second, entry: ['dependsOn: [first]', 'timeout: 200'] }]);
    await world.loadAndAgree();
    await world.ask();
    expect(world.record('second')).toMatchObject({
      manifestPath: world.agentFile(),
      workspaceDir: join(world.root, 'w'),
      enabled: true,
      reason: 'enabled by you',
      dexto: {
        agentFile: world.agentFile(),
        isBuiltIn: false,
        blocking: true,
        priority: 2,
        timeoutMs: 200,
        dependsOn: ['first'],
        points: [{ point: 'beforeLLMRequest', position: 2, of: 2, band: 'before OpenClaw' }],
        profile: { points: [{ point: 'beforeLLMRequest', calls: 1, changed: 1 }] },
      },
    });
  });

  it('runs built-in plugins without consent, and leaves out what the user or the file has switched off', async () => {
    const policy = 'contentPolicy: { priority: 5, maxInputChars: 10 }\n  notifications: { enabled: false }';
    await world.write('w/.pincer/agent.yml', `plugins:\n  ${policy}\n`);
    await world.load();
    expect(world.record('contentPolicy')).toMatchObject({
      id: 'dexto:contentPolicy',
      origin: 'bundled',
      status: 'loaded',
      reason: 'named in the agent file',
      dexto: { isBuiltIn: true },
    });
    expect(world.record('notifications')).toMatchObject({
      status: 'disabled',
      reason: 'disabled in the agent file',
    });
    const entries = { 'dexto:contentPolicy': { enabled: false } };
    await world.load({ config: { ...noPluginsConfig, entries } });
    expect(world.record('contentPolicy')).toMatchObject({ status: 'disabled', reason: 'disabled in config' });
    expect(world.points.has('beforeLLMRequest')).toBe(false);
  });
});
