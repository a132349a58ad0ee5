import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDextoLoader, type DextoLoaderWorld } from '../../../test/builders/openDextoLoader.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import type { CheckedPlugin } from './loadTypes.ts';

let world: DextoLoaderWorld;
let waits: number[];
beforeEach(async () => {
  waits = [];
  const after: typeof systemClock.after = (ms, call) => {
    waits.push(ms);
    return systemClock.after(ms === 30_000 ? 1 : ms, call);
  };
  world = await openDextoLoader({ ...systemClock, after });
});
afterEach(() => world.close());

async function loaded(body: string, config: Readonly<Record<string, unknown>> = {}): Promise<CheckedPlugin> {
  await world.write({ 'guard.mjs': `export default class {\n${body}\nbeforeToolCall() {} }` });
  const outcome = await world.load('guard', 'guard.mjs', { entry: { config }, secret: 'hunter2-hunter2' });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

describe('initializeDextoPlugin', () => {
  it('hands over a copy of the settings: what the plugin does to it stays its own', async () => {
    const config = { limits: { tokens: 5 } };
    const plugin = await loaded(
      'initialize(config) { this.config = config; config.limits.tokens = 0; }',
      config,
    );
    expect(await world.loader.initialize(plugin, world.agentFile)).toEqual({ ok: true });
    expect(plugin.plugin.instance).toMatchObject({ config: { limits: { tokens: 0 } } });
    expect(config).toEqual({ limits: { tokens: 5 } });
  });

  it('hands over an empty object where the agent file has no settings', async () => {
    const plugin = await loaded('initialize(config) { this.config = config; }');
    await world.loader.initialize(plugin, world.agentFile);
    expect(plugin.plugin.instance).toMatchObject({ config: {} });
  });

  it('is not needed', async () => {
    expect(await world.loader.initialize(await loaded(''), world.agentFile)).toEqual({ ok: true });
  });

  it.each(['initialize() {', 'async initialize() {'])(
    'fails with plugin, place and reason: %s',
    async (begin) => {
      const plugin = await loaded(`${begin}\nthrow new Error('no key hunter2-hunter2'); }`);
      expect(await world.loader.initialize(plugin, world.agentFile)).toMatchObject({
        ok: false,
        phase: 'register',
        message: expect.stringContaining(
          "plugin 'guard' could not be initialized: no key [key removed]",
        ) as unknown,
        diagnostic: { code: 'plugin_initialization_failed', line: 3, pluginId: 'dexto:guard' },
      });
    },
  );

  it('is remembered where the process never came back from it, although loading went well in between', async () => {
    const loading = join(world.root, 'state', 'loading');
    // The file that says which code runs, as it is while it runs.
    const plugin = await loaded(`async initialize({ loading, keep }) {
      const { readdirSync, readFileSync } = await import('node:fs');
      for (const name of readdirSync(loading)) keep(name, readFileSync(loading + '/' + name, 'utf8'));
    }`);
    const marks: [string, string][] = [];
    const instance = plugin.plugin.instance as unknown as { initialize(config: object): Promise<void> };
    const { initialize } = instance;
    instance.initialize = () =>
      initialize({ loading, keep: (name: string, text: string) => marks.push([name, text]) });
    await world.loader.initialize(plugin, world.agentFile);
    const [name = '', text = ''] = marks[0] ?? [];
    const kill = (at: string): Promise<void> =>
      writeFile(
        join(loading, name.replace('.json', `${at}.json`)),
        text.replace(/"pid":\d+/u, '"pid":999999999'),
      );
    await kill('a');
    expect(await world.load('guard', 'guard.mjs')).toMatchObject({ ok: true });
    await kill('b');
    expect(await world.load('guard', 'guard.mjs')).toMatchObject({
      ok: false,
      message: "plugin 'guard' did not finish initialize() the last two times; it is not loaded",
    });
  });

  it('has 30 s', async () => {
    const plugin = await loaded('initialize() { return new Promise(() => {}); }');
    expect(await world.loader.initialize(plugin, world.agentFile)).toMatchObject({
      ok: false,
      message: expect.stringContaining('timed out after 30000ms') as unknown,
    });
  });
});
