import { join } from 'node:path';
import { createEmitter, type Emitter, type Event } from '../base/event.ts';
import type { ToolDefinition } from '../contracts/tool.ts';
import { createBuiltIns } from './builtins/builtIns.ts';
import type { PluginNotification } from './builtins/createNotifications.ts';
import type { ContextServices, SessionFacts, SessionSource } from './context/contextServices.ts';
import { createContextFactory } from './context/createContextFactory.ts';
import { createDextoAdapter } from './createDextoAdapter.ts';
import {
  createAgentEventBus,
  relayNotice,
  relayStop,
  type AgentEventBus,
} from './events/createAgentEventBus.ts';
import type { PointFacts, PointStop } from './pointFacts.ts';
import { createOpenTelemetry } from './telemetry/createOpenTelemetry.ts';
import { createTenantContext, type TenantContext } from './tenant/createTenantContext.ts';
import { findAsyncLocalStorage } from './tenant/findAsyncLocalStorage.ts';
import { defaultApprovalMs } from '../config/sections/approvalsSection.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Host } from '../host/ports.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import type { ConsentStore } from '../plugins/consent/consentStore.ts';
import type { CallGuard } from '../plugins/createCallGuard.ts';
import type { HangGuard } from '../plugins/createHangGuard.ts';
import { openBundle } from './bundle/openBundle.ts';
import { createDextoLoader } from './load/createDextoLoader.ts';
import { createDextoPlugins, type DextoPlugins } from './load/createDextoPlugins.ts';
import type { DextoLoader } from './load/loadTypes.ts';
import { createTenantSessions } from '../sessions/createTenantSessions.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { createAgentStorage } from './createAgentStorage.ts';
import type { Session } from '../sessions/session.ts';

interface DextoSideParts {
  readonly host: Host;
  /** `~/.pincer`, or what PINCER_HOME names. */
  readonly home: string;
  /** Absolute; outside of every workspace. */
  readonly stateFolder: string;
  /** Absolute path of SQLite. */
  readonly wasmFile: string;
  /** A bundle that stands in for every agent file. Absolute path. */
  readonly bundle?: string;
  readonly isTrusted: () => boolean;
  readonly config: () => PincerConfig;
  readonly consents: ConsentStore;
  readonly hangGuard: HangGuard;
  readonly callGuard: CallGuard;
  readonly sessions: SessionStore;
  readonly mcpServers: ContextServices['mcpServers'];
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
  /** A plugin stopped something, or failed. */
  readonly onDidStop: Event<PointStop>;
  /** Cleans plugins up, then closes their storage. */
  close(): Promise<void>;
}

export function createDextoSide(parts: DextoSideParts): DextoSide {
  const { host, stateFolder } = parts;
  const asked: Emitter<PointFacts> = createEmitter();
  const notified: Emitter<PluginNotification> = createEmitter();
  const stopped: Emitter<PointStop> = createEmitter();
  const events = createAgentEventBus(host);
  const storage = createAgentStorage(
    {
      ...host,
      owner: createProcessOwner((pid) => host.processes.startTimeOf(pid), host.processes.ownPid),
      folder: join(stateFolder, 'dexto'),
      wasmFile: parts.wasmFile,
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
      mcpServers: parts.mcpServers,
      runtimeConfig: () => runtimeConfig(parts.config(), plugins),
    },
  });
  const bundle = parts.bundle === undefined ? undefined : openBundle(parts.bundle);
  const loader = createDextoLoader({
    ...{ ...host, stateDir: stateFolder, hangGuard: parts.hangGuard, callGuard: parts.callGuard },
    ...(bundle === undefined ? {} : { modules: bundle.modules(stateFolder) }),
  });
  const plugins = createDextoPlugins({
    ...host,
    home: parts.home,
    stateDir: stateFolder,
    isTrusted: parts.isTrusted,
    consents: parts.consents,
    loader: droppingListeners(bundle === undefined ? loader : { ...loader, resolve: bundle.resolve }, events),
    ...(bundle === undefined ? {} : { readAgentFile: (fs, given) => bundle.readAgentFile(fs, given) }),
    builtIns: createBuiltIns({ onDidAsk: asked.event, log: host.log, notify: (told) => notified.fire(told) }),
    createAdapter: ({ profiled, report }) =>
      createDextoAdapter({
        profiled,
        report,
        context,
        clock: host.clock,
        log: host.log,
        telemetry: createOpenTelemetry(),
        asked: (facts) => asked.fire(facts),
        notice: (notice) => relayNotice(events, notice),
        stopped: (stop) => {
          relayStop(events, stop);
          stopped.fire(stop);
        },
      }),
  });
  return {
    plugins,
    tenants: createTenantContext({ asyncLocalStorage: findAsyncLocalStorage() }),
    events,
    onDidNotify: notified.event,
    onDidStop: stopped.event,
    async close() {
      await plugins.close();
      await storage.close();
      asked.dispose();
      notified.dispose();
      stopped.dispose();
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
function runtimeConfig(
  { model, agent, approvals }: PincerConfig,
  plugins: DextoPlugins,
): Readonly<Record<string, unknown>> {
  return {
    model: model ?? 'built-in',
    agentFile: plugins.agentFile()?.path,
    limits: { ...agent.limits },
    toolConfirmation: { mode: approvals.mode, timeout: approvals.timeoutMs ?? defaultApprovalMs },
    plugins: plugins.plugins().map(({ name }) => name),
  };
}

/**
 * Sessions as plugins see them: what was really said, also what a compaction stands for. What is only made up for models, such as
 * a result for a call that still runs, is not in it.
 */
function toSessionSource(store: Pick<SessionStore, 'open' | 'list'>): SessionSource {
  return {
    async open(id) {
      const session = await store.open(id);
      return session === undefined ? undefined : toFacts(session);
    },
    list: () => store.list(),
  };
}

function toFacts(session: Session): SessionFacts {
  return {
    id: session.id,
    header: session.header,
    messages: () => session.entries().flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])),
  };
}
