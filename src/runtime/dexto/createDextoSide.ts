import { join } from 'node:path';
import { createEmitter, type Emitter, type Event } from '../../base/event.ts';
import type { ToolDefinition } from '../../contracts/tool.ts';
import { createBuiltIns } from '../../dexto/builtins/builtIns.ts';
import type { PluginNotification } from '../../dexto/builtins/createNotifications.ts';
import { createContextFactory } from '../../dexto/context/createContextFactory.ts';
import { createDextoAdapter } from '../../dexto/createDextoAdapter.ts';
import { createAgentEventBus, type AgentEventBus } from '../../dexto/events/createAgentEventBus.ts';
import { relayNotice } from '../../dexto/events/relayNotice.ts';
import type { PointFacts } from '../../dexto/pointFacts.ts';
import { createOpenTelemetry } from '../../dexto/telemetry/createOpenTelemetry.ts';
import { createTenantContext } from '../../dexto/tenant/createTenantContext.ts';
import { findAsyncLocalStorage } from '../../dexto/tenant/findAsyncLocalStorage.ts';
import type { TenantContext } from '../../dexto/tenant/tenant.ts';
import { createProcessOwner } from '../../host/processOwner.ts';
import type { ConsentStore } from '../../plugins/consent/consentStore.ts';
import type { CallGuard } from '../../plugins/createCallGuard.ts';
import type { HangGuard } from '../../plugins/createHangGuard.ts';
import { openBundle } from '../../plugins/dexto/bundle/openBundle.ts';
import { createDextoLoader } from '../../plugins/dexto/createDextoLoader.ts';
import { createDextoPlugins } from '../../plugins/dexto/createDextoPlugins.ts';
import type { DextoPlugins } from '../../plugins/dexto/dextoPlugins.ts';
import type { DextoLoader } from '../../plugins/dexto/loadTypes.ts';
import { createTenantSessions } from '../../sessions/createTenantSessions.ts';
import type { SessionStore } from '../../sessions/sessionStore.ts';
import type { RuntimeInput } from '../runtime.ts';
import type { RuntimeState } from '../runtimeState.ts';
import { createAgentStorage } from './createAgentStorage.ts';
import { toSessionSource } from './toSessionSource.ts';

export interface DextoSideParts {
  readonly input: RuntimeInput;
  readonly state: RuntimeState;
  readonly consents: ConsentStore;
  readonly hangGuard: HangGuard;
  readonly callGuard: CallGuard;
  readonly sessions: SessionStore;
  /** The tools of the turn that runs in a session. */
  readonly toolsOf: (sessionId: string) => readonly ToolDefinition[];
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** The Dexto dialect in one window: its plugins, and what they work with. */
export interface DextoSide {
  readonly plugins: DextoPlugins;
  readonly tenants: TenantContext;
  readonly events: AgentEventBus;
  /** What the plugin `notifications` tells people. */
  readonly onDidNotify: Event<PluginNotification>;
  /** Cleans plugins up, then closes their storage. */
  close(): Promise<void>;
}

export function createDextoSide(parts: DextoSideParts): DextoSide {
  const { input, state } = parts;
  const { host, stateFolder } = input;
  const asked: Emitter<PointFacts> = createEmitter();
  const notified: Emitter<PluginNotification> = createEmitter();
  const events = createAgentEventBus(host);
  const storage = createAgentStorage(
    {
      ...host,
      owner: createProcessOwner((pid) => host.processes.startTimeOf(pid), host.processes.ownPid),
      folder: join(stateFolder, 'dexto'),
      wasmFile: input.memoryFiles?.wasmFile ?? join(input.dist, 'sql-wasm.wasm'),
    },
    () => plugins.agentFile(),
  );
  const context = createContextFactory({
    storage: storage.current,
    events,
    log: host.log,
    redact: parts.redact,
    services: {
      sessionsOf: (tenant) => toSessionSource(createTenantSessions(parts.sessions, () => tenant)),
      toolsOf: ({ sessionId }) => parts.toolsOf(sessionId),
      mcpServers: () => plugins.agentFile()?.mcpServers ?? [],
      runtimeConfig: () => runtimeConfig(state, plugins),
    },
  });
  const bundle = input.bundle === undefined ? undefined : openBundle(input.bundle);
  const loader = createDextoLoader({
    ...{ ...host, stateDir: stateFolder, hangGuard: parts.hangGuard, callGuard: parts.callGuard },
    ...(bundle === undefined ? {} : { modules: bundle.modules(stateFolder) }),
  });
  const plugins = createDextoPlugins({
    ...host,
    home: input.home,
    stateDir: stateFolder,
    isTrusted: state.isTrusted,
    consents: parts.consents,
    loader: droppingListeners(bundle === undefined ? loader : { ...loader, resolve: bundle.resolve }, events),
    ...(bundle === undefined ? {} : { readAgentFile: (fs, given) => bundle.readAgentFile(fs, given) }),
    builtIns: createBuiltIns({ onDidAsk: asked.event, log: host.log, notify: (told) => notified.fire(told) }),
    createAdapter: ({ profiled }) =>
      createDextoAdapter({
        profiled,
        context,
        clock: host.clock,
        log: host.log,
        telemetry: createOpenTelemetry(),
        asked: (facts) => asked.fire(facts),
        notice: (notice) => relayNotice(events, notice),
      }),
  });
  return {
    plugins,
    tenants: createTenantContext({ asyncLocalStorage: findAsyncLocalStorage() }),
    events,
    onDidNotify: notified.event,
    async close() {
      await plugins.close();
      await storage.close();
      asked.dispose();
      notified.dispose();
    },
  };
}

/** What a plugin listened to goes with it. */
function droppingListeners(loader: DextoLoader, events: AgentEventBus): DextoLoader {
  return {
    ...loader,
    async cleanUp(gone) {
      const told = await loader.cleanUp(gone);
      for (const { plugin } of gone) events.drop(plugin);
      return told;
    },
  };
}

/** What plugins may know of the config: nothing that is a secret, or says where one is. */
function runtimeConfig({ config }: RuntimeState, plugins: DextoPlugins): Readonly<Record<string, unknown>> {
  const { model, agent, approvals } = config();
  return {
    model: model ?? 'built-in',
    agentFile: plugins.agentFile()?.path,
    limits: { ...agent.limits },
    toolConfirmation: { mode: approvals.mode, timeout: approvals.timeoutMs },
    plugins: plugins.plugins().map(({ name }) => name),
  };
}
