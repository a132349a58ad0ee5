import { testCall, testRun } from '../../builders/callContexts.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { mergeConfig } from '../../../src/config/mergeConfig.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createPluginManager } from '../../../src/plugins/createPluginManager.ts';

it('the plugin that the README points at loads, counts and listens', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pincer-example-'));
  const log = createInMemoryLog();
  const manager = createPluginManager({
    fs: createNodeFileSystem(),
    clock: systemClock,
    log,
    bundledDir: undefined,
    home: root,
    stateDir: join(root, 'state'),
    coreToolNames: [],
    reservedCommands: [],
    settings: { set: () => Promise.reject(new Error('not here')) },
  });
  try {
    const workspace = resolve(import.meta.dirname, '../../../examples/workspace');
    const config = mergeConfig({}, []).config.plugins;
    await manager.load({ roots: [workspace], trusted: true, config });
    await manager.grantConsent('word-count');
    expect(manager.diagnostics()).toEqual([]);

    const call = await manager.tools({})[0]?.prepare(testCall(), { text: 'one two  three' });
    expect((await call?.run(testRun()))?.content).toEqual([{ type: 'text', text: '3 words' }]);
    expect((await manager.commands()[0]?.run('one two', { channel: 'cli' }))?.text).toBe('2 words');
    const event = { toolName: 'read', params: {}, result: 'a b' };
    await manager.hooks.observe('after_tool_call', event, { toolName: 'read' });
    expect(log.lines.at(-1)?.message).toBe('[word-count] read answered with 2 words');
  } finally {
    await manager.close();
    await rm(root, { recursive: true, force: true });
  }
});
