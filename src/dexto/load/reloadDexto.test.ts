import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../host/node/systemClock.ts';
import { noPluginsConfig, openDextoWorld, type DextoWorld } from '../../../test/builders/openDextoWorld.ts';

const first = { name: 'first', priority: 1 };
const second = { name: 'second', priority: 2 };
const third = { name: 'third', priority: 3 };
const fails = "throw new Error('no tide table');";
const switchedOff = { ...noPluginsConfig, entries: { 'dexto:first': { enabled: false } } };

let world: DextoWorld;

/** Both run, and the user develops them: saving is enough. */
async function runBoth(): Promise<void> {
  await world.writeAgent([first, second]);
  await world.loadAndAgree();
  for (const name of ['first', 'second']) await world.plugins.setDeveloping(`dexto:${name}`, true);
  world.clear();
}

async function save(plugin: Parameters<DextoWorld['writeCode']>[0]): Promise<void> {
  await world.plugins.filesChanged([await world.writeCode(plugin)]);
}

beforeEach(async () => {
  world = await openDextoWorld();
});

afterEach(() => world.close());

describe('a change of the agent file or its plugins', () => {
  it('is a new generation that is ready before the old one ends, on the same points', async () => {
    await runBoth();
    const { points } = world.plugins;
    await save({ name: 'second', says: 'newer' });
    expect(world.events).toEqual([
      ...['first loads', 'second loads', 'first begins', 'second begins'],
      ...['second ends', 'first ends'],
    ]);
    expect(world.plugins.points).toBe(points);
    expect(await world.ask()).toBe('first newer');
  });

  it('leaves the old generation where a plugin of the new one fails, and cleans up what had begun', async () => {
    await runBoth();
    await save({ name: 'second', initialize: fails });
    expect(world.events).toEqual([
      ...['first loads', 'second loads', 'first begins', 'second begins'],
      'first ends',
    ]);
    expect(await world.ask()).toBe('first second');
    expect(world.plugins.problem()).toBeUndefined();
    const failed = world.record('second');
    expect(failed).toMatchObject({
      status: 'loaded',
      failurePhase: 'register',
      error: expect.stringContaining('no tide table') as unknown,
      reason: expect.stringMatching(/the previous version still runs$/u) as unknown,
    });
    expect(failed.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'plugin_initialization_failed',
        fixes: [{ kind: 'reload-plugin', pluginId: 'dexto:second' }],
      }),
    );
    expect(world.record('first')).toMatchObject({
      status: 'loaded',
      reason: expect.stringContaining('not loaded') as unknown,
    });
  });

  it('stops the agent where nothing that worked stands in, until a retry succeeds', async () => {
    await world.writeAgent([first, { ...second, initialize: fails }], '', 'home/a');
    await world.load({ agentFile: '~/a/agent.yml' });
    expect(world.plugins.problem()).toMatchObject({
      level: 'error',
      message: expect.stringContaining('second') as unknown,
      fixes: [{ kind: 'reload-plugin', pluginId: 'dexto:second' }],
    });
    expect(world.states()).toEqual(['first disabled', 'second error']);
    // A turn that still runs is stopped rather than unguarded.
    expect(world.points.has('beforeLLMRequest')).toBe(true);
    expect(world.events.at(-1)).toBe('first ends');
    await world.writeCode(second, 'home/a');
    await world.plugins.reload();
    expect(world.plugins.problem()).toBeUndefined();
    expect(await world.ask()).toBe('first second');
  });

  it('tells all plugins that can not be loaded', async () => {
    await world.writeAgent([first, second, third]);
    await world.write('w/.pincer/dexto/first/index.js', 'export default 1;');
    await world.write('w/.pincer/dexto/third/index.js', 'export default class {');
    await world.loadAndAgree();
    expect(world.states()).toEqual(['first error', 'second disabled', 'third error']);
    expect(world.events).not.toContain('second begins');
  });

  it('keeps what runs while the file is broken, and says so', async () => {
    await runBoth();
    await world.write('w/.pincer/agent.yml', 'plugins: [');
    await world.load();
    expect(world.events).toEqual([]);
    expect(world.plugins.problem()).toBeUndefined();
    expect(world.plugins.agentFile()?.plugins).toHaveLength(2);
    expect(world.plugins.diagnostics()).toContainEqual(
      expect.objectContaining({
        level: 'error',
        source: world.agentFile(),
        fixes: [{ kind: 'reload-plugin', pluginId: 'dexto:agent' }],
      }),
    );
  });

  it('stops the agent where the file is broken from the start', async () => {
    await world.write('w/.pincer/agent.yml', 'plugins: [');
    await world.load();
    expect(world.plugins.problem()).toMatchObject({
      source: world.agentFile(),
      fixes: [{ kind: 'reload-plugin', pluginId: 'dexto:agent' }],
    });
    await world.writeAgent([]);
    await world.plugins.reload();
    expect(world.plugins.problem()).toBeUndefined();
  });

  it('refuses the whole set where two plugins have one priority', async () => {
    await world.writeAgent([first, { ...second, priority: 1 }]);
    await world.load();
    expect(world.plugins.problem()?.message).toMatch(/priority/u);
    expect(world.plugins.agentFile()).toBeUndefined();
  });

  it('lets go of a plugin that the file names no more', async () => {
    await runBoth();
    await world.writeAgent([second]);
    await world.load();
    expect(await world.ask()).toBe('second');
    expect(world.states()).toEqual(['second loaded']);
  });

  it('shows a plugin that runs on because the file that names it no more fails', async () => {
    await runBoth();
    await world.writeAgent([{ ...second, initialize: fails }]);
    await world.plugins.filesChanged([`${world.root}/w/.pincer/dexto/second/index.js`]);
    expect(await world.ask()).toBe('first second');
    expect(world.record('first').reason).toMatch(/^no longer in the agent file/u);
  });
});

describe('what the user has not agreed to', () => {
  it('does not run: the version that was agreed to goes on', async () => {
    await world.writeAgent([first]);
    await world.loadAndAgree();
    world.clear();
    await world.writeCode({ name: 'first', says: 'changed' });
    await world.load();
    expect(world.events).toEqual([]);
    expect(await world.ask()).toBe('first');
    expect(world.record('first')).toMatchObject({
      status: 'loaded',
      needsConsent: { why: 'files-changed', changedFiles: ['index.js'] },
      reason: expect.stringMatching(/the version you enabled still runs$/u) as unknown,
    });
  });

  it('stops the agent where no version of a guard is left that was agreed to, until the user decides', async () => {
    await runBoth();
    await world.load({ trusted: false });
    await world.writeCode({ name: 'first', says: 'changed' });
    await world.load();
    expect(world.plugins.problem()).toMatchObject({ code: 'dexto_guard_changed', pluginId: 'dexto:first' });
    expect(world.plugins.diagnostics().map(({ code }) => code)).toContain('dexto_guard_changed');
    await world.plugins.grantConsent('dexto:first');
    expect(world.plugins.problem()).toBeUndefined();
    expect(await world.ask()).toBe('changed second');
  });

  it('is missed by nobody where it can stop nothing', async () => {
    await world.writeAgent([{ ...first, blocking: false }]);
    await world.loadAndAgree();
    await world.load({ trusted: false });
    await world.writeCode({ name: 'first', says: 'changed' });
    await world.load();
    expect(world.plugins.problem()).toBeUndefined();
  });

  it('does not run beside something new either: a guard can not be removed by a change of its file', async () => {
    await runBoth();
    await world.plugins.setDeveloping('dexto:first', false);
    await world.writeCode({ name: 'first', says: 'changed' });
    await save({ name: 'second', says: 'newer' });
    expect(await world.ask()).toBe('first newer');
    await world.plugins.grantConsent('dexto:first');
    expect(await world.ask()).toBe('changed newer');
  });

  it('is asked about again where its settings, or the storage it gets, have changed', async () => {
    await world.writeAgent([first]);
    await world.loadAndAgree();
    await world.writeAgent([{ ...first, entry: ['config: { limit: 3 }'] }]);
    await world.load();
    expect(world.record('first').needsConsent?.changedFiles).toEqual(['(settings)']);
    await world.plugins.grantConsent('dexto:first');
    await world.writeAgent(
      [{ ...first, entry: ['config: { limit: 3 }'] }],
      'storage: { cache: { type: in-memory }, database: { type: in-memory } }\n',
    );
    await world.load();
    expect(world.record('first').needsConsent?.changedFiles).toEqual(['(settings)']);
  });

  it('is asked about again where another of its files is to run', async () => {
    await world.writeAgent([first]);
    await world.write('w/.pincer/dexto/first/other.js', 'globalThis.dextoEvents.push("other");');
    await world.loadAndAgree();
    const text = await readFile(world.agentFile(), 'utf8');
    await writeFile(world.agentFile(), text.replace('first/index.js', 'first/other.js'));
    await world.load();
    expect(world.record('first').needsConsent).toMatchObject({
      why: 'files-changed',
      changedFiles: ['(settings)'],
    });
    expect(world.events).not.toContain('other');
    expect(await world.ask()).toBe('first');
  });

  it('runs after a save by hand where the user develops it, and only then', async () => {
    await runBoth();
    await world.plugins.filesChanged([]);
    await world.writeCode({ name: 'first', says: 'by the agent' });
    await world.plugins.filesChanged([]);
    expect(await world.ask()).toBe('first second');
    await save({ name: 'first', says: 'by hand' });
    expect(await world.ask()).toBe('by hand second');
  });
});

describe('what the user takes back', () => {
  it('stops with the consent, and what remains runs on', async () => {
    await runBoth();
    await world.plugins.revokeConsent('dexto:first');
    expect(await world.ask()).toBe('second');
    expect(world.record('first').needsConsent?.why).toBe('never-enabled');
  });

  it('stops even where the agent file is broken', async () => {
    await runBoth();
    await world.write('w/.pincer/agent.yml', 'plugins: [');
    await world.load({ config: switchedOff });
    expect(await world.ask()).toBe('second');
    expect(world.plugins.problem()).toBeUndefined();
  });

  it('stops even where what remains fails; then the agent stops, too', async () => {
    await world.writeAgent([first, { ...second, entry: ['dependsOn: [first]'] }]);
    await world.loadAndAgree();
    await world.load({ config: switchedOff });
    // A turn that still runs is stopped rather than unguarded.
    expect(world.points.has('beforeLLMRequest')).toBe(true);
    expect(world.plugins.problem()?.message).toMatch(/second.*first/u);
    await world.load();
    expect(await world.ask()).toBe('first second');
  });
});

describe('a load that takes long', () => {
  /** It waits in `initialize` until the function that this gives is called. */
  async function startSlow(): Promise<{ readonly goOn: () => void; readonly loading: Promise<void> }> {
    let goOn = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const begun = new Promise<void>((resolve) => {
      Reflect.set(globalThis, 'dextoSlow', async () => {
        resolve();
        await waiting;
      });
    });
    await world.writeAgent(
      [first, { ...second, initialize: 'await globalThis.dextoSlow?.();' }],
      '',
      'home/a',
    );
    const loading = world.load({ agentFile: '~/a/agent.yml' });
    await begun;
    return { goOn, loading };
  }

  afterEach(() => Reflect.deleteProperty(globalThis, 'dextoSlow'));

  it('lets no turn begin without its guards', async () => {
    const { goOn, loading } = await startSlow();
    expect(world.plugins.problem()).toMatchObject({ code: 'dexto_loading' });
    goOn();
    await loading;
    expect(world.plugins.problem()).toBeUndefined();
    expect(await world.ask()).toBe('first second');
  });

  it('does not hold up the loss of trust, and runs nothing afterwards', async () => {
    const { goOn, loading } = await startSlow();
    await world.load({ trusted: false });
    await loading;
    expect(world.events.at(-1)).toBe('first ends');
    expect(world.plugins.problem()).toBeUndefined();
    goOn();
    await world.load({ trusted: false });
    await expect.poll(() => world.events.at(-1)).toBe('second ends');
    expect(world.points.has('beforeLLMRequest')).toBe(false);
  });

  it('runs nothing where trust goes in the moment that all are ready', async () => {
    let isArmed = false;
    const monotonic = (): number => {
      if (isArmed && own.events.at(-1) === 'first begins') {
        isArmed = false;
        void own.load({ trusted: false });
      }
      return systemClock.monotonic();
    };
    const own = await openDextoWorld({ clock: { ...systemClock, monotonic } });
    await own.writeAgent([first], '', 'home/a');
    isArmed = true;
    await own.load({ agentFile: '~/a/agent.yml' });
    expect(own.events).toEqual(['first loads', 'first begins', 'first ends']);
    expect(own.points.has('beforeLLMRequest')).toBe(false);
    await own.close();
  });

  it('gives way to a newer load', async () => {
    const { goOn, loading } = await startSlow();
    Reflect.deleteProperty(globalThis, 'dextoSlow');
    await world.load({ agentFile: '~/a/agent.yml' });
    await loading;
    expect(await world.ask()).toBe('first second');
    expect(world.plugins.problem()).toBeUndefined();
    goOn();
  });
});
