import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openDextoLoader,
  type DextoLoaderWorld,
  type LoadChange,
} from '../../../test/builders/openDextoLoader.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import type { HangGuard } from '../../plugins/createHangGuard.ts';
import { createModuleLoader } from '../../plugins/load/createModuleLoader.ts';
import { loadDextoPlugin } from './loadDextoPlugin.ts';
import type { DextoFailure } from './loadTypes.ts';

let world: DextoLoaderWorld;
beforeEach(async () => {
  world = await openDextoLoader();
});
afterEach(() => world.close());

const guard = 'class Guard { beforeToolCall() { return { ok: true }; } }';

async function load(
  text: string,
  change: LoadChange = {},
  file = 'guard/guard.mjs',
): ReturnType<typeof world.load> {
  await world.write({ [file]: text });
  return await world.load('guard', file, change);
}

async function failure(text: string, change: LoadChange = {}): Promise<DextoFailure> {
  const outcome = await load(text, change);
  if (outcome.ok) throw new Error('it loaded');
  return outcome;
}

describe('the five checks', () => {
  const source = (): string => join(world.dir, 'guard', 'guard.mjs');

  it.each([
    [1, 'export const x = 1;', 'plugin_invalid_shape', 'a default export: it has no default export'],
    [
      2,
      'export default { beforeToolCall() {} };',
      'plugin_invalid_shape',
      'the default export is a class: its default export must be a class, and is an object',
    ],
    [
      3,
      "export default class { constructor() { throw new Error('no key'); } beforeToolCall() {} }",
      'plugin_instantiation_failed',
      'its constructor works: no key',
    ],
    [
      4,
      'export default class { initialize() {} }',
      'plugin_invalid_shape',
      'at least one extension point: it must implement at least one extension point method',
    ],
    [
      5,
      'export default class { beforeToolCall() {} cleanup = 3; }',
      'plugin_invalid_shape',
      'initialize and cleanup are functions: its cleanup must be a function, and is a number',
    ],
  ])('check %i names itself, the plugin and the file', async (check, text, code, problem) => {
    const { message, diagnostic, phase } = await failure(text);
    // Only what was thrown has a line.
    const line = check === 3 ? ':1' : '';
    expect(message).toBe(`plugin 'guard' fails check ${String(check)} of 5, ${problem} (${source()}${line})`);
    expect(diagnostic).toMatchObject({ code, pluginId: 'dexto:guard', source: source(), level: 'error' });
    expect(phase).toBe('load');
  });

  it('count fields that hold arrow functions as methods', async () => {
    const outcome = await load('export default class { beforeResponse = async () => ({ ok: true }); }');
    expect(outcome).toMatchObject({ ok: true, plugin: { points: ['beforeResponse'] } });
  });

  it('let initialize and cleanup be absent in every way', async () => {
    const outcome = await load(
      'export default class { beforeToolCall() {} initialize = undefined; cleanup = null; }',
    );
    expect(outcome.ok).toBe(true);
  });
});

describe('loadDextoPlugin', () => {
  it('makes one instance, and that is the one that runs', async () => {
    const outcome = await load(
      'let made = 0; export default class { number = ++made; beforeToolCall() { return { ok: true, message: String(made) }; } }',
    );
    if (!outcome.ok) throw new Error(outcome.message);
    expect(outcome.plugin.instance).toMatchObject({ number: 1 });
    expect(
      await outcome.plugin.instance.beforeToolCall?.({ toolName: 'x', args: {} }, {} as never),
    ).toMatchObject({
      message: '1',
    });
  });

  it('loads anew each time: nothing of an earlier load is left', async () => {
    const text = 'let made = 0; export default class { number = ++made; beforeToolCall() {} }';
    await load(text);
    expect(await load(text)).toMatchObject({ plugin: { instance: { number: 1 } } });
  });

  it('points at the line of the code that failed', async () => {
    const { message, diagnostic } = await failure("\n\nthrow new Error('broken');");
    expect(message).toContain("plugin 'guard' could not be loaded: broken");
    expect(diagnostic).toMatchObject({ code: 'plugin_load_failed', line: 3 });
  });

  it('points at the place of a syntax error', async () => {
    await world.write({ 'guard/part.ts': 'export const x: number = ;\n' });
    const { diagnostic } = await failure(`import './part.ts'; export default ${guard}`);
    expect(diagnostic).toMatchObject({ source: join(world.dir, 'guard', 'part.ts'), line: 1 });
  });

  it('says where a package that is missing is to be installed', async () => {
    const { diagnostic } = await failure(`import 'left-pad-of-nobody'; export default ${guard}`);
    expect(diagnostic.hint).toBe(`Run npm install left-pad-of-nobody in ${join(world.dir, 'guard')}.`);
  });

  it('takes the secrets of the settings out of what it tells', async () => {
    const change = { secret: 'hunter2-hunter2' };
    const { message, diagnostic } = await failure("throw new Error('bad key hunter2-hunter2');", change);
    expect(message).toContain('bad key [key removed]');
    expect(JSON.stringify(diagnostic)).not.toContain('hunter2');
  });

  it('lets a symbol that is missing be imported, and names it and the plugin when it is used', async () => {
    const imported = await load(
      `import { PluginManager } from '@dexto/core'; export default ${guard} void PluginManager;`,
    );
    expect(imported.ok).toBe(true);
    const { message } = await failure(
      `import { PluginManager } from '@dexto/core'; new PluginManager(); export default ${guard}`,
    );
    expect(message).toContain('PluginManager of @dexto/core does not exist here (used by plugin guard)');
  });

  it('gives zod to a plugin that brings none', async () => {
    const outcome = await load(
      `import { z } from 'zod'; export default class { limit = z.number().parse(3); beforeToolCall() {} }`,
    );
    expect(outcome).toMatchObject({ ok: true, plugin: { instance: { limit: 3 } } });
  });

  it('adds what its class requires to what the agent file says', async () => {
    const text = `export default class { static requires = ['audit', 'tenants']; beforeToolCall() {} }`;
    expect(await load(text, { entry: { dependsOn: ['audit'] } })).toMatchObject({
      entry: { dependsOn: ['audit', 'tenants'] },
    });
  });

  it('reads its version from the class first, then from its package.json', async () => {
    await world.write({ 'guard/package.json': '{ "version": "1.0.0" }' });
    const entry = { version: '^2.0.0' };
    expect(
      await load(`export default class { static version = '2.1.0'; beforeToolCall() {} }`, { entry }),
    ).toMatchObject({
      ok: true,
      version: '2.1.0',
    });
    const { message, diagnostic } = await failure(`export default ${guard}`, { entry });
    expect(message).toBe(
      "plugin 'guard' does not fit: the agent file asks for version ^2.0.0, and the plugin is 1.0.0",
    );
    expect(diagnostic).toMatchObject({ source: world.agentFile, line: 1 });
  });

  it('is refused where its package asks for another plugin API', async () => {
    await world.write({ 'guard/package.json': '{ "peerDependencies": { "@dexto/core": "^99.0.0" } }' });
    const { message } = await failure(`export default ${guard}`);
    expect(message).toMatch(/its package.json asks for @dexto\/core \^99.0.0, and here it is/u);
  });

  it('is refused where the settings are not what its schema asks for, with the place, without the secret', async () => {
    const text = `import { z } from 'zod';
      export const factory = {
        configSchema: z.strictObject({ type: z.literal('guard'), limit: z.number() }),
        create: () => new (${guard})(),
      };`;
    const { message, phase } = await failure(text, { entry: { config: { limit: 'many' } } });
    expect(phase).toBe('validation');
    expect(message).toMatch(/^the settings of plugin 'guard' are not what it asks for: config\.limit: /u);
  });

  it('waits for a factory that waits', async () => {
    const outcome = await load(`export const factory = { create: async () => new (${guard})() };`);
    expect(outcome).toMatchObject({ ok: true, plugin: { points: ['beforeToolCall'] } });
  });

  it('takes what a function gives, whatever it is made of', async () => {
    const outcome = await load(
      'export default () => Object.assign(Object.create(null), { version: "1.2.3", beforeToolCall() {} });',
    );
    expect(outcome).toMatchObject({ ok: true, version: '1.2.3' });
  });

  it('puts back what the constructor changes of the whole process, and tells', async () => {
    const json = JSON.parse;
    const outcome = await load(
      'export default class { constructor() { JSON.parse = () => 0; } beforeToolCall() {} }',
    );
    expect(JSON.parse).toBe(json);
    expect(outcome).toMatchObject({
      ok: true,
      diagnostics: [{ code: 'plugin_changed_globals', pluginId: 'dexto:guard' }],
    });
  });

  it('skips what hung the last times, unless the user asks for it', async () => {
    await world.write({ 'guard.mjs': `export default ${guard}` });
    const outcome = await world.load('guard', 'guard.mjs');
    if (!outcome.ok || outcome.code === undefined) throw new Error('it did not load');
    const blamed: string[] = [];
    const hangGuard: HangGuard = {
      hasHung: (id) => Promise.resolve(blamed.push(id) > 0),
      watch: (_id, _content, work) => work(),
    };
    const loader = createModuleLoader();
    const parts = { clock: systemClock, loader, hangGuard };
    expect(await loadDextoPlugin(parts, outcome.code)).toMatchObject({
      ok: false,
      message: "plugin 'guard' did not finish loading the last two times; it is not loaded",
      diagnostic: { fixes: [{ kind: 'reload-plugin', pluginId: 'dexto:guard' }] },
    });
    expect(blamed).toEqual(['dexto:guard']);
    expect(await loadDextoPlugin(parts, { ...outcome.code, force: true })).toMatchObject({ ok: true });
  });

  it('gives up on a module that never ends its await after 30 s, and on no other', async () => {
    const waits: number[] = [];
    // Only the long wait is over at once: the hang guard has shorter ones of its own.
    const after: typeof systemClock.after = (ms, call) => {
      waits.push(ms);
      return systemClock.after(ms === 30_000 ? 1 : ms, call);
    };
    const hurried = await openDextoLoader({ ...systemClock, after });
    try {
      await hurried.write({ 'a.mjs': `await new Promise(() => {}); export default ${guard}` });
      const outcome = await hurried.load('guard', 'a.mjs');
      expect(outcome).toMatchObject({ ok: false, phase: 'load' });
      expect(outcome.ok ? '' : outcome.message).toContain('timed out after 30000ms');
      expect(waits).toContain(30_000);
    } finally {
      await hurried.close();
    }
  });
});
