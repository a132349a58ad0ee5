import { testCall, testRun } from '../../builders/callContexts.ts';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeConfig } from '../../../src/config/mergeConfig.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../../src/host/createInMemorySecrets.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import type { Clock } from '../../../src/host/ports.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createPluginManager } from '../../../src/plugins/createPluginManager.ts';
import type { PluginsConfig } from '../../../src/plugins/pluginTypes.ts';
import { createPluginSessionState } from '../../../src/sessions/pluginSessionState.ts';
import { openSampleMemory } from './openSampleMemory.ts';
import type { PluginSample, SampleWorld } from './pluginSample.ts';

const noConfig = mergeConfig({}, []).config.plugins;

/** The one session that exists. */
const sessionKey = 'agent:main:00000000-0000-4000-8000-000000000000';

/** Where the plugins of a fixture folder are put. */
const places = {
  workspace: 'workspace/.pincer/plugins',
  bundled: 'bundled',
  global: 'home/plugins',
  config: 'config',
} as const;

/** Copies a fixture into `root`, an empty folder, and loads it. `close` stops everything. */
export async function openSampleWorld(
  sample: PluginSample,
  fixture: string,
  root: string,
): Promise<SampleWorld & { close(): Promise<void> }> {
  const workspace = join(root, 'workspace');
  await mkdir(workspace);
  await mkdir(join(root, 'config'));
  for (const [place, target] of Object.entries(places)) {
    await cp(join(fixture, place), join(root, target), { recursive: true }).catch(ignoreMissing);
  }
  await sample.prepare?.(root);
  const marks: string[] = [];
  Object.assign(globalThis, { mark: (name: string) => void marks.push(name) });

  const log = createInMemoryLog();
  const disk = createNodeFileSystem();
  const fs = sample.disk?.(disk) ?? disk;
  const clock = fasterBy(sample.speed ?? 1);
  const sessionState = createPluginSessionState({
    fs,
    clock,
    log,
    folder: join(root, 'sessions'),
    sessionOf: (key) => Promise.resolve(key === sessionKey ? key.split(':').at(-1) : undefined),
  });
  const memory = sample.memory?.(root);
  const manager = createPluginManager({
    fs,
    clock,
    log,
    sessionState,
    bundledDir: join(root, 'bundled'),
    home: join(root, 'home'),
    stateDir: join(root, 'state'),
    coreToolNames: ['read', 'write'],
    reservedCommands: ['help'],
    settings: { set: () => Promise.reject(new Error('samples change their config by load()')) },
    ...{ secrets: createInMemorySecrets(sample.secrets), env: sample.env ?? {} },
    ...(memory === undefined ? {} : { memory: openSampleMemory(memory, { fs, clock, workspace }) }),
  });
  let config: PluginsConfig = { ...noConfig, load: { paths: [join(root, 'config')] }, ...sample.config };
  let trusted = sample.trusted ?? true;
  const load: SampleWorld['load'] = async (change = {}) => {
    config = { ...config, ...change.config };
    trusted = change.trusted ?? trusted;
    await manager.load({ roots: [workspace], trusted, config });
  };
  await load();
  if (sample.consent ?? true) {
    for (const { id, needsConsent } of manager.plugins()) {
      if (needsConsent !== undefined) await manager.grantConsent(id);
    }
  }

  return {
    manager,
    sessionKey,
    sessionState,
    log,
    root,
    workspace,
    marks,
    load,
    folderOf: (plugin) => join(root, places.workspace, plugin),
    plugin(id) {
      const record = manager.plugins().find((each) => each.id === id);
      if (record === undefined)
        throw new Error(
          `no plugin ${id}: ${manager
            .plugins()
            .map((each) => each.id)
            .join(', ')}`,
        );
      return record;
    },
    found: (code, pluginId) =>
      manager
        .diagnostics()
        .filter((each) => each.code === code && (pluginId ?? each.pluginId) === each.pluginId),
    async runTool(name, params = {}) {
      const tool = manager.tools({ workspaceDir: workspace }).find((each) => each.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const call = await tool.prepare(testCall(), params);
      const { content } = await call.run(testRun());
      return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    },
    async close() {
      await manager.close();
      await memory?.close();
      Reflect.deleteProperty(globalThis, 'mark');
    },
  };
}

function fasterBy(speed: number): Clock {
  return { ...systemClock, after: (ms, call) => systemClock.after(ms / speed, call) };
}

function ignoreMissing(error: unknown): void {
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  if (!missing) throw error;
}
