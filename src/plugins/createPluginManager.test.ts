import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { systemClock } from '../host/node/systemClock.ts';
import type { FileSystem } from '../host/ports.ts';
import { createPluginSessionState } from '../sessions/pluginSessionState.ts';
import { createPluginManager, type PluginManagerParts } from './createPluginManager.ts';
import type { PluginManager } from './pluginManager.ts';
import type { PluginsConfig } from './pluginTypes.ts';

const noConfig: PluginsConfig = {
  enabled: true,
  allow: [],
  deny: [],
  load: { paths: [] },
  required: [],
  slots: {},
  entries: {},
};

let root: string;
let saved: unknown[];
let manager: PluginManager;

function open(more: Partial<PluginManagerParts> = {}): PluginManager {
  return createPluginManager({
    fs: createNodeFileSystem(),
    clock: systemClock,
    log: createInMemoryLog(),
    bundledDir: undefined,
    home: join(root, '.pincer'),
    stateDir: join(root, 'state'),
    coreToolNames: [],
    reservedCommands: [],
    settings: {
      set(path, value, scope) {
        saved.push([path.join('.'), value, scope]);
        return Promise.resolve({ ...noConfig, entries: { mine: { enabled: value === true } } });
      },
    },
    ...more,
  });
}

/** A guard runs, and the load that brought it still waits for a plugin whose `register` never ends. */
async function openWithStuck(): Promise<{ readonly loads: readonly Promise<void>[] }> {
  manager = open({ clock: { ...systemClock, after: (ms, call) => systemClock.after(ms / 10, call) } });
  await addPlugin(
    '.pincer/plugins',
    'guard',
    "module.exports = (api) => api.on('message_received', () => {});",
  );
  await addPlugin('.pincer/plugins', 'stuck', 'module.exports = () => new Promise(() => {});');
  const guards = new Promise<void>((resolve) => {
    const listening = manager.onDidChange(() => {
      if (ids().some((each) => each.endsWith('disabled') !== each.startsWith('stuck'))) return;
      listening.dispose();
      resolve();
    });
  });
  const loads = [load()];
  await guards;
  return { loads };
}

async function addPlugin(
  folder: string,
  id: string,
  code = 'module.exports = () => undefined;',
): Promise<void> {
  await mkdir(join(root, folder, id), { recursive: true });
  await writeFile(join(root, folder, id, 'openclaw.plugin.json'), JSON.stringify({ id, configSchema: {} }));
  await writeFile(join(root, folder, id, 'index.cjs'), code);
}

const load = (roots: readonly string[] = []) =>
  manager.load({ roots: roots.map((each) => join(root, each)), trusted: true, config: noConfig });
const ids = () => manager.plugins().map(({ id, status }) => `${id} ${status}`);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-manager-'));
  saved = [];
  manager = open();
});

afterEach(async () => {
  await manager.close();
  await rm(root, { recursive: true, force: true });
});

describe('createPluginManager', () => {
  it('runs without any folder, and follows folders that come and go', async () => {
    await addPlugin('.pincer/plugins', 'mine');
    await addPlugin('.openclaw/extensions', 'older');
    await addPlugin('w1/.pincer/plugins', 'one');
    await addPlugin('w2/.openclaw/extensions', 'two');
    await load();
    expect(ids()).toEqual(['mine loaded', 'older loaded']);
    await load(['w1', 'w2']);
    expect(ids()).toEqual(['one disabled', 'two disabled', 'mine loaded', 'older loaded']);
    await manager.grantConsent('two');
    await load(['w2']);
    expect(ids()).toEqual(['two loaded', 'mine loaded', 'older loaded']);
  });

  it('keeps what has not changed, and loads again what is asked for', async () => {
    Reflect.set(globalThis, 'loads', 0);
    await addPlugin('.pincer/plugins', 'counted', 'module.exports = () => { globalThis.loads += 1; };');
    const loads = (): unknown => Reflect.get(globalThis, 'loads');
    await load();
    await load();
    expect(loads()).toBe(1);
    await manager.reload('counted');
    expect(loads()).toBe(2);
    await manager.reload('another');
    expect(loads()).toBe(2);
    Reflect.deleteProperty(globalThis, 'loads');
  });

  it('writes a switched plugin to the settings and loads with the result', async () => {
    await addPlugin('.pincer/plugins', 'mine');
    await load();
    let changes = 0;
    manager.onDidChange(() => (changes += 1));
    await manager.setEnabled('mine', false, 'user');
    expect(saved).toEqual([['entries.mine.enabled', false, 'user']]);
    expect(ids()).toEqual(['mine disabled']);
    await manager.setEnabled('mine', true, 'workspace');
    expect(ids()).toEqual(['mine loaded']);
    expect(changes).toBe(2);
  });

  it('keeps the same hook runner over reloads, and one handler for each registration', async () => {
    const code = "module.exports = (api) => api.on('before_tool_call', () => ({ block: true }));";
    await addPlugin('.pincer/plugins', 'guard', code);
    await load();
    const { hooks } = manager;
    await manager.reload();
    expect(manager.hooks).toBe(hooks);
    const call = { toolName: 'write', params: {} };
    expect((await hooks.modify('before_tool_call', call, { toolName: 'write' })).block?.pluginId).toBe(
      'guard',
    );
    await manager.close();
    expect(hooks.has('before_tool_call')).toBe(false);
  });

  it('refuses consent for what is unknown or does not wait for it', async () => {
    await addPlugin('.pincer/plugins', 'mine');
    await load();
    await expect(manager.grantConsent('nobody')).rejects.toMatchObject({ code: 'plugin_unknown' });
    await expect(manager.grantConsent('mine')).rejects.toMatchObject({ code: 'plugin_needs_no_consent' });
  });

  it('grants only what the user was shown', async () => {
    await addPlugin('w/.pincer/plugins', 'one');
    await load(['w']);
    const shown = manager.plugins()[0]?.needsConsent?.hash ?? '';
    await addPlugin('w/.pincer/plugins', 'one', 'module.exports = () => "other";');
    await load(['w']);
    await expect(manager.grantConsent('one', shown)).rejects.toMatchObject({ code: 'plugin_changed' });
    expect(ids()).toEqual(['one disabled']);
    await manager.grantConsent('one', manager.plugins()[0]?.needsConsent?.hash ?? '');
    expect(ids()).toEqual(['one loaded']);
  });

  it('keeps a global plugin until the workspace plugin of its id may run, and never runs both', async () => {
    await addPlugin('.pincer/plugins', 'same');
    await addPlugin('w/.pincer/plugins', 'same');
    await load(['w']);
    expect(ids()).toEqual(['same disabled', 'same loaded']);
    await manager.load({ roots: [join(root, 'w')], trusted: true, config: { ...noConfig, deny: ['same'] } });
    expect(ids()).toEqual(['same disabled', 'same disabled']);
    await load(['w']);
    await manager.grantConsent('same');
    expect(ids()).toEqual(['same loaded', 'same disabled']);
    await addPlugin('w/.pincer/plugins', 'same', 'module.exports = () => "changed";');
    await load(['w']);
    expect(ids()).toEqual(['same disabled', 'same loaded']);
    expect(manager.plugins()[0]?.needsConsent?.why).toBe('files-changed');
  });

  it('has nothing to say against a plugin of the home folder once the user develops it', async () => {
    await addPlugin('.pincer/plugins', 'mine');
    const folder = join(root, '.pincer', 'plugins', 'mine');
    await rm(join(folder, 'index.cjs'));
    await writeFile(join(folder, 'index.ts'), 'export default { register(): void {} };');
    await writeFile(join(folder, 'package.json'), '{ "openclaw": { "extensions": ["./index.ts"] } }');
    await load();
    const said = (): readonly string[] => manager.diagnostics().map(({ code }) => code);
    expect(said()).toEqual(expect.arrayContaining(['plugin_not_compiled', 'plugin_without_provenance']));
    await manager.setDeveloping('mine', true);
    expect(manager.plugins()).toMatchObject([{ status: 'loaded', developing: true }]);
    expect(said()).toEqual([]);
    await manager.setDeveloping('mine', false);
    expect(manager.plugins()[0]?.developing).toBeUndefined();
  });

  it('takes what a workspace says about plugins for those of the workspace alone, and says so', async () => {
    await addPlugin('.pincer/plugins', 'mine');
    await addPlugin('w/.pincer/plugins', 'theirs');
    await load(['w']);
    await manager.grantConsent('theirs');
    const workspace = { ...noConfig, entries: { mine: { enabled: false } }, named: ['mine', 'theirs'] };
    const said = async (change: Partial<PluginsConfig>) => {
      const config = { ...noConfig, workspace: { ...workspace, ...change } };
      await manager.load({ roots: [join(root, 'w')], trusted: true, config });
      return ids();
    };
    expect(await said({ enabled: false })).toEqual(['theirs disabled', 'mine loaded']);
    expect(await said({ allow: ['other'] })).toEqual(['theirs disabled', 'mine loaded']);
    expect(await said({ deny: ['mine', 'theirs'] })).toEqual(['theirs disabled', 'mine loaded']);
    const entries = { mine: { config: { a: 1 } }, theirs: { config: { a: 1 } } };
    await said({});
    expect(await said({ entries })).toEqual(['theirs loaded', 'mine loaded']);
    await manager.grantConsent('theirs');
    const refused = manager.diagnostics().filter(({ code }) => code === 'plugin_config_invalid');
    expect(refused.map(({ pluginId }) => pluginId)).toEqual(['theirs']);
    const ignored = manager.diagnostics().filter(({ code }) => code === 'config_workspace_ignored');
    expect(ignored.map(({ pluginId }) => pluginId)).toEqual(['mine']);
  });

  it('loads the others when one folder can not be read', async () => {
    await addPlugin('.pincer/plugins', 'locked');
    await addPlugin('.pincer/plugins', 'open');
    const real = createNodeFileSystem();
    const stat: FileSystem['stat'] = (path) =>
      path.endsWith('locked') ? Promise.reject(new PincerError('io_forbidden', 'no')) : real.stat(path);
    manager = open({ fs: { ...real, stat } });
    await load();
    expect(ids()).toEqual(['open loaded']);
    expect(manager.diagnostics().filter(({ level }) => level !== 'info')).toMatchObject([
      { code: 'plugin_candidate_blocked' },
    ]);
  });

  it('asks again rather than fail when the consents can not be read', async () => {
    await addPlugin('w/.pincer/plugins', 'one');
    await mkdir(join(root, '.pincer/consents.json'), { recursive: true });
    await load(['w']);
    expect(manager.plugins()[0]?.needsConsent?.why).toBe('never-enabled');
    expect(manager.diagnostics().filter(({ level }) => level !== 'info')).toMatchObject([
      { code: 'consents_unreadable' },
    ]);
  });

  it('neither close nor less trust waits for a plugin that never ends registering', async () => {
    const { loads } = await openWithStuck();
    await manager.load({ roots: [], trusted: false, config: noConfig });
    expect(ids()).toEqual(['guard disabled', 'stuck disabled']);
    void load();
    await manager.close();
    await Promise.all(loads);
    expect(ids()).toEqual([]);
  });

  it('applies what a plugin registers late while another is stuck, and at once all of it', async () => {
    await addPlugin(
      '.pincer/plugins',
      'late',
      "module.exports = (api) => { globalThis.registerLate = () => { for (let i = 0; i < 50; i += 1) api.on('before_tool_call', () => {}); for (let i = 0; i < 50; i += 1) api.getRunContext({ runId: 'r', namespace: 'n' }); }; };",
    );
    await openWithStuck();
    let changes = 0;
    const changed = new Promise<void>((resolve) => {
      manager.onDidChange(() => {
        changes += 1;
        resolve();
      });
    });
    (Reflect.get(globalThis, 'registerLate') as () => void)();
    await changed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(changes).toBe(1);
    expect(manager.hooks.has('before_tool_call')).toBe(true);
    Reflect.deleteProperty(globalThis, 'registerLate');
  });

  it('takes no call that registers nothing for a late registration', async () => {
    await addPlugin(
      '.pincer/plugins',
      'reads',
      "module.exports = (api) => { globalThis.readContext = () => api.getRunContext({ runId: 'r', namespace: 'n' }); };",
    );
    await load();
    let changes = 0;
    manager.onDidChange(() => (changes += 1));
    (Reflect.get(globalThis, 'readContext') as () => void)();
    await new Promise((resolve) => setImmediate(resolve));
    expect(changes).toBe(0);
    Reflect.deleteProperty(globalThis, 'readContext');
  });

  it('keeps what a plugin knows of sessions over a config that can not be read, until the user says no', async () => {
    const removed: string[] = [];
    const nothing = createPluginSessionState({
      fs: createNodeFileSystem(),
      clock: systemClock,
      log: createInMemoryLog(),
      folder: join(root, 'sessions'),
      sessionOf: () => Promise.resolve(undefined),
    });
    const sessionState = {
      ...nothing,
      removePlugin(id: string) {
        removed.push(id);
        return Promise.resolve();
      },
    };
    manager = open({ sessionState });
    await addPlugin('.pincer/plugins', 'mine');
    await load();
    await manager.load({ roots: [], trusted: true, config: { ...noConfig, onlyBundled: true } });
    expect(ids()).toEqual(['mine disabled']);
    expect(removed).toEqual([]);
    await load();
    await manager.load({ roots: [], trusted: true, config: { ...noConfig, deny: ['mine'] } });
    expect(removed).toEqual(['mine']);
  });
});
