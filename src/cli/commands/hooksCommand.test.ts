import { expect, it } from 'vitest';
import { hookNames, hookCatalog } from '../../hooks/hookCatalog.ts';
import type { HookListing, PluginRecord } from '../../plugins/pluginTypes.ts';
import { listHooks } from './hooksCommand.ts';

const plugin = (id: string, listing: Omit<HookListing, 'hook' | 'of'>): PluginRecord =>
  ({ id, hooks: [{ hook: 'before_tool_call', of: 2, ...listing }] }) as unknown as PluginRecord;

it('lists every hook of the catalog, and who listens in the order they run', () => {
  const hooks = listHooks(hookNames, hookCatalog, [
    plugin('second', { priority: 0, timeoutMs: 15_000, position: 2 }),
    plugin('first', { priority: 10, timeoutMs: 500, position: 1 }),
  ]);
  expect(hooks.map((each) => each.hook)).toEqual(hookNames);
  expect(hooks.find((each) => each.hook === 'before_tool_call')?.listeners).toEqual([
    { pluginId: 'first', priority: 10, timeoutMs: 500 },
    { pluginId: 'second', priority: 0, timeoutMs: 15_000 },
  ]);
});
