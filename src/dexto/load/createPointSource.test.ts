import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noPluginsConfig, openDextoWorld, type DextoWorld } from '../../../test/builders/openDextoWorld.ts';
import { sampleCall } from '../../../test/builders/openExtensionPoints.ts';

const first = { name: 'first', priority: 1 };
const second = { name: 'second', priority: 2 };
const withoutSecond = { ...noPluginsConfig, entries: { 'dexto:second': { enabled: false } } };

let world: DextoWorld;
let release: () => void;

beforeEach(async () => {
  world = await openDextoWorld();
  Reflect.set(globalThis, 'dextoGate', Promise.resolve());
});

afterEach(async () => {
  Reflect.deleteProperty(globalThis, 'dextoGate');
  await world.close();
});

/** Both run; from now on `initialize` of the first one waits, and then does what is said. */
async function running(initialize = ''): Promise<void> {
  await world.writeAgent([{ ...first, initialize: `await globalThis.dextoGate; ${initialize}` }, second]);
  await world.loadAndAgree();
  Reflect.set(globalThis, 'dextoGate', new Promise<void>((resolve) => (release = resolve)));
}

describe('a turn that runs while its plugins are away', () => {
  it('waits for them: nothing passes meanwhile', async () => {
    await running();
    const load = world.load({ config: withoutSecond });
    await expect.poll(() => world.events.at(-1)).toBe('first begins');
    expect(world.plugins.problem()?.code).toBe('dexto_loading');
    expect(world.points.has('beforeResponse')).toBe(true);
    const asked = world.ask();
    release();
    expect(await asked).toBe('first');
    await load;
    expect(world.points.has('beforeResponse')).toBe(false);
  });

  it('is stopped where they do not come back', async () => {
    await running("if (globalThis.dextoEvents.includes('second ends')) throw new Error('no');");
    const load = world.load({ config: withoutSecond });
    release();
    await load;
    expect(world.points.has('beforeToolCall')).toBe(true);
    const call = sampleCall('beforeLLMRequest');
    expect(await world.points.run('beforeLLMRequest', { text: 'hi' }, call)).toMatchObject({
      outcome: 'blocked',
      payload: { text: 'hi' },
      message: expect.stringContaining("The plugins of the agent file do not run: plugin 'first'") as string,
    });
  });

  it('waits no longer than the turn lasts', async () => {
    await running();
    const load = world.load({ config: withoutSecond });
    const turn = new AbortController();
    const call = sampleCall('beforeLLMRequest');
    const asked = world.points.run('beforeLLMRequest', { text: 'hi' }, call, turn.signal);
    turn.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    release();
    await load;
  });
});

describe('a turn that would begin', () => {
  it('waits for the first load of a window that is trusted by then', async () => {
    let isTrusted = false;
    const opening = await openDextoWorld({ isTrusted: () => isTrusted });
    await opening.load({ trusted: false });
    expect(opening.plugins.problem()).toBeUndefined();
    isTrusted = true;
    expect(opening.plugins.problem()?.code).toBe('dexto_loading');
    // What runs already has no guards to wait for.
    expect(opening.points.has('beforeLLMRequest')).toBe(false);
    await opening.load();
    expect(opening.plugins.problem()).toBeUndefined();
    await opening.close();
  });

  it('does not begin where nobody could look for the agent file', async () => {
    await world.load();
    await world.writeAgent([first]);
    await expect(world.load({ roots: [1] as unknown as string[] })).rejects.toThrow(TypeError);
    expect(world.plugins.problem()).toMatchObject({
      code: 'agent_file_unreadable',
      fixes: [{ kind: 'reload-plugin', pluginId: 'dexto:agent' }],
    });
    await world.loadAndAgree();
    expect(world.plugins.problem()).toBeUndefined();
  });
});
