import { cp, mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../../../src/contracts/diagnostic.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import type { Clock } from '../../../src/host/ports.ts';
import { createConsentStore } from '../../../src/plugins/consent/consentStore.ts';
import { createModuleLoader } from '../../../src/plugins/load/createModuleLoader.ts';
import { createInternalEvents } from '../../../src/plugins/operatorHooks/createInternalEvents.ts';
import { createOperatorHooks } from '../../../src/plugins/operatorHooks/createOperatorHooks.ts';
import type { HooksConfig } from '../../../src/plugins/operatorHooks/hookConfig.ts';
import type { InternalEventType } from '../../../src/hooks/payloads/internalHooks.ts';
import type { HookSample, HookWorld } from './hookSample.ts';

/** Where the hooks of a fixture folder are put. */
const places = {
  workspace: 'workspace/hooks',
  pincer: 'workspace/.pincer/hooks',
  managed: 'home/.pincer/hooks',
  openclaw: 'home/.openclaw/hooks',
  config: 'config',
} as const;

/** Copies a fixture into `root`, an empty folder, and loads it. `close` lets go of everything. */
export async function openHookWorld(
  sample: HookSample,
  fixture: string,
  root: string,
): Promise<HookWorld & { close(): void }> {
  const workspace = join(root, 'workspace');
  for (const folder of ['workspace', 'bin', 'home']) await mkdir(join(root, folder));
  for (const [place, target] of Object.entries(places)) {
    const from = join(fixture, place);
    if (existsSync(from)) await cp(from, join(root, target), { recursive: true });
  }
  await sample.prepare?.(root);
  const marks: string[] = [];
  Object.assign(globalThis, { mark: (name: string) => void marks.push(name) });

  const log = createInMemoryLog();
  const fs = createNodeFileSystem();
  const clock = fasterBy(sample.speed ?? 1);
  const home = join(root, 'home', '.pincer');
  const reports: Diagnostic[] = [];
  const events = createInternalEvents({ clock, report: (each) => void reports.push(each) });
  const hooks = createOperatorHooks({
    fs,
    clock,
    log,
    loader: createModuleLoader(),
    stateDir: join(root, 'state'),
    home,
    homeDir: join(root, 'home'),
    platform: 'linux',
    env: sample.env ?? { PATH: join(root, 'bin') },
    consents: createConsentStore(fs, home),
    events,
  });
  const extraDirs = existsSync(join(root, 'config')) ? [join(root, 'config')] : [];
  let config: HooksConfig = { enabled: true, entries: {}, load: { extraDirs }, ...sample.config };
  let trusted = sample.trusted ?? true;
  const load: HookWorld['load'] = async (change = {}) => {
    config = { ...config, ...change.config };
    trusted = change.trusted ?? trusted;
    const { hostConfig = {} } = sample;
    await hooks.load({ roots: [workspace], trusted, config, hostConfig });
  };
  await load();
  if (sample.consent ?? true) {
    for (const { name, needsConsent } of hooks.list()) {
      if (needsConsent !== undefined) await hooks.grantConsent(name);
    }
  }

  return {
    hooks,
    events,
    log,
    root,
    workspace,
    marks,
    load,
    hook(name) {
      const names = hooks.list().map((each) => each.name);
      const record = hooks.list().find((each) => each.name === name);
      if (record === undefined) throw new Error(`no hook ${name}: ${names.join(', ')}`);
      return record;
    },
    found: (code) => [...hooks.diagnostics(), ...reports].filter((each) => each.code === code),
    async emit(event, facts) {
      const [type = '', ...action] = event.split(':');
      return await events.emit(type as InternalEventType, action.join(':'), facts);
    },
    close() {
      hooks.dispose();
      Reflect.deleteProperty(globalThis, 'mark');
    },
  };
}

function fasterBy(speed: number): Clock {
  return { ...systemClock, after: (ms, call) => systemClock.after(ms / speed, call) };
}
