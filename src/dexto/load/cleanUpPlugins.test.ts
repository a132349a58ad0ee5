import { describe, expect, it } from 'vitest';
import { readyPlugin } from '../../../test/builders/openExtensionPoints.ts';
import { dextoEntry } from '../../../test/builders/openDextoLoader.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { cleanUpPlugins } from './cleanUpPlugins.ts';
import type { CheckedPlugin } from './loadTypes.ts';

function plugin(name: string, cleanup?: () => void | Promise<void>): CheckedPlugin {
  return {
    plugin: readyPlugin(name, cleanup === undefined ? {} : { cleanup }, {
      redact: (text) => text.replaceAll('hunter2', '[key removed]'),
    }),
    entry: dextoEntry(name),
    loadMs: 0,
    diagnostics: [],
    dispose: () => undefined,
  };
}

describe('cleanUpPlugins', () => {
  it('begins with the last one, and waits for each before the next', async () => {
    const done: string[] = [];
    const slow = async (name: string): Promise<void> => {
      await Promise.resolve();
      done.push(name);
    };
    const all = [plugin('first', () => slow('first')), plugin('none'), plugin('last', () => slow('last'))];
    expect(await cleanUpPlugins(createManualClock(), all)).toEqual([]);
    expect(done).toEqual(['last', 'first']);
  });

  it('goes on after one that throws, and tells, without its secrets', async () => {
    const done: string[] = [];
    const all = [
      plugin('first', () => void done.push('first')),
      plugin('broken', () => {
        throw new Error('no hunter2');
      }),
    ];
    expect(await cleanUpPlugins(createManualClock(), all)).toEqual([
      {
        level: 'warn',
        code: 'plugin_cleanup_failed',
        message: "cleanup of plugin 'broken' failed: no [key removed]",
        pluginId: 'dexto:broken',
        hint: 'Correct its cleanup(), which may take 5 s.',
      },
    ]);
    expect(done).toEqual(['first']);
  });

  it('goes on after 5 s with one that hangs, and tells', async () => {
    const clock = createManualClock();
    const done: string[] = [];
    const all = [
      plugin('first', () => void done.push('first')),
      plugin('hangs', () => new Promise(() => undefined)),
    ];
    const cleaning = cleanUpPlugins(clock, all);
    await Promise.resolve();
    clock.advance(4_999);
    expect(done).toEqual([]);
    clock.advance(1);
    expect(await cleaning).toMatchObject([{ pluginId: 'dexto:hangs' }]);
    expect(done).toEqual(['first']);
  });
});
