import { expect, test } from 'vitest';
import type { MemorySearchManagerOptions, PluginTool } from '../../../sdk/types.ts';
import type { MemoryTools } from '../../../tools/core/memory/createMemoryTools.ts';
import { createMemorySearchManager } from './createMemorySearchManager.ts';
import type { PluginMemory } from './pluginMemory.ts';

test("what plugins pass beside the options, such as upstream's callbacks or no real signal, does not reach the thread", async () => {
  const asked: unknown[] = [];
  const find: MemoryTools['find'] = (_query, options, signal) => {
    asked.push(structuredClone(options));
    expect(signal).toBeInstanceOf(AbortSignal);
    return Promise.resolve([]);
  };
  const memory = { tools: { find } } as unknown as PluginMemory;
  const manager = createMemorySearchManager(memory, {} as PluginTool, () => undefined);
  const options = { maxResults: 2, onDebug: () => undefined, signal: { aborted: false }, sessionKey: 'a' };
  await manager.search('tabs', options as unknown as MemorySearchManagerOptions);
  expect(asked).toEqual([{ maxResults: 2 }]);
});
