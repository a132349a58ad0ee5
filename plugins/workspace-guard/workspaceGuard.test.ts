import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { createPluginManager } from '../../src/plugins/createPluginManager.ts';
import type { PluginManager } from '../../src/plugins/pluginManager.ts';
import type { PluginEntryConfig } from '../../src/plugins/pluginTypes.ts';

let root: string;
let manager: PluginManager;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-guard-'));
  manager = createPluginManager({
    fs: createNodeFileSystem(),
    clock: systemClock,
    log: createInMemoryLog(),
    bundledDir: dirname(import.meta.dirname),
    home: join(root, 'home'),
    stateDir: join(root, 'state'),
    coreToolNames: [],
    reservedCommands: [],
    settings: { set: () => Promise.reject(new Error('not here')) },
  });
});

afterEach(async () => {
  await manager.close();
  await rm(root, { recursive: true, force: true });
});

async function load(entry: PluginEntryConfig = {}): Promise<void> {
  const config = {
    enabled: true,
    allow: ['workspace-guard'],
    deny: [],
    load: { paths: [] },
    required: [],
    slots: {},
  };
  await manager.load({
    roots: [],
    trusted: false,
    config: { ...config, entries: { 'workspace-guard': entry } },
  });
}

const write = (path: string) =>
  manager.hooks.modify(
    'before_tool_call',
    { toolName: 'write', params: { path, content: '' } },
    { toolName: 'write' },
  );

describe('workspace-guard', () => {
  it('is on by default, also in an untrusted window', async () => {
    await load();
    expect(manager.plugins().find(({ id }) => id === 'workspace-guard')).toMatchObject({
      status: 'loaded',
      reason: 'enabled by default',
      diagnostics: [],
    });
  });

  it('blocks writes into .git and says why', async () => {
    await load();
    expect((await write('.git/hooks/pre-commit')).block).toEqual({
      pluginId: 'workspace-guard',
      reason:
        '.git/hooks/pre-commit is off limits: what is written there can run as a git hook or rewrite history',
    });
  });

  it('asks with critical severity before a protected file changes, and lets others pass', async () => {
    await load();
    expect((await write('.env')).asks[0]).toMatchObject({
      asker: 'workspace-guard',
      title: 'Change .env?',
      severity: 'critical',
    });
    expect(await write('README.md')).toMatchObject({ asks: [] });
  });

  it('leaves tools alone that do not write', async () => {
    await load();
    const event = { toolName: 'read', params: { path: '.git/config' } };
    expect(
      (await manager.hooks.modify('before_tool_call', event, { toolName: 'read' })).block,
    ).toBeUndefined();
  });

  it('takes more rules from its settings', async () => {
    await load({ config: { block: ['*.lock'] } });
    expect((await write('package.lock')).block?.reason).toContain('your settings say so');
  });
});
