// Threat: what a plugin is given for one tenant shows it, or lets it change, what belongs to another, or the host itself. All of it
// is made for the tenant of the call, frozen or copied, and only storage can be written.
import type { Log } from '../../host/ports.ts';
import { copyData } from '../../base/untrusted.ts';
import type { AgentEventBus } from '../events/createAgentEventBus.ts';
import type { LoadedPlugin } from '../loadedPlugin.ts';
import type { PointContext } from '../../hooks/payloads/pointHooks.ts';
import type {
  AgentServices,
  ExecutionContext,
  MCPManager,
  SessionManager,
  StorageBackends,
  ToolManager,
  ValidatedLLMConfig,
  SessionMetadata,
  SessionView,
} from '../dextoTypes.ts';
import type { Storage } from '../storage/createStorage.ts';
import type { ContextServices, SessionFacts, SessionSource } from './contextServices.ts';
import { createPluginLogger } from './createPluginLogger.ts';
import type { AgentMessage } from '../../contracts/message.ts';

/** Makes what a plugin's method gets beside its payload. `signal` aborts when the turn is cancelled or the plugin's time is over. */
export type ContextFactory = (
  call: PointContext,
  plugin: Pick<LoadedPlugin, 'name' | 'redact'>,
  signal: AbortSignal,
) => ExecutionContext;

interface ContextFactoryDeps {
  /** That of the agent file that counts now; it may be another one after a reload. */
  readonly storage: () => Storage;
  readonly services: ContextServices;
  readonly events: AgentEventBus;
  readonly log: Log;
  /** Takes secrets out of a text; a plugin's own ones it takes out itself. */
  readonly redact: (text: string) => string;
}

type StorageManager = AgentServices['storageManager'];

/** What all plugins of one call share. */
interface CallParts {
  readonly llmConfig: ValidatedLLMConfig;
  readonly tools: ToolManager;
  readonly state: AgentServices['stateManager'];
}

/**
 * Builds what plugins get beside their payload (Dexto plugin specification, ExecutionContext). It is made for each call and costs little: what
 * belongs to a tenant is made once, what belongs to a call once for all plugins, and whatever takes time waits for a plugin's call.
 */
export function createContextFactory(deps: ContextFactoryDeps): ContextFactory {
  const { services, events } = deps;
  const storages = new WeakMap<Storage, (tenantId: string | undefined) => StorageManager>();
  const storageOf = (tenantId: string | undefined): StorageManager => {
    const storage = deps.storage();
    let find = storages.get(storage);
    if (find === undefined) {
      find = createPerTenant((id) => storageManagerOf(storage.forTenant(tenantOf(id))));
      storages.set(storage, find);
    }
    return find(tenantId);
  };
  const sessionsOf = createPerTenant<SessionManager>((tenantId) =>
    createSessionManager(services.sessionsOf(tenantOf(tenantId))),
  );
  const mcp = mcpManagerOf(services);
  const shared = new WeakMap<PointContext, CallParts>();
  const partsOf = (call: PointContext): CallParts => {
    let parts = shared.get(call);
    if (parts === undefined) shared.set(call, (parts = callPartsOf(call, services)));
    return parts;
  };

  return (call, plugin, signal) => {
    const { tenantId, userId } = call.tenant ?? {};
    const parts = partsOf(call);
    const scope = {
      sessionId: call.sessionId,
      ...(userId === undefined ? {} : { userId }),
      ...(tenantId === undefined ? {} : { tenantId }),
    };
    const storage = storageOf(tenantId);
    // Plain fields: getters on an object made for each call cost twenty times as much.
    const agent = Object.freeze<AgentServices>({
      sessionManager: sessionsOf(tenantId),
      mcpManager: mcp,
      toolManager: parts.tools,
      stateManager: parts.state,
      agentEventBus: events.of(plugin, call.tenant),
      storage,
      storageManager: storage,
      stores: storage,
    });
    const redact = (text: string): string => deps.redact(plugin.redact(text));
    return Object.freeze<ExecutionContext>({
      ...scope,
      llmConfig: parts.llmConfig,
      logger: createPluginLogger({ log: deps.log, name: plugin.name, scope, redact }),
      abortSignal: signal,
      agent,
    });
  };
}

/** A tenant as storage and sessions know it: users share what belongs to their tenant. */
function tenantOf(tenantId: string | undefined): { readonly tenantId: string } | undefined {
  return tenantId === undefined ? undefined : { tenantId };
}

function storageManagerOf({ database, cache, blob }: StorageBackends): StorageManager {
  return Object.freeze({
    ...{ database, cache, blob },
    getDatabase: () => database,
    getCache: () => cache,
    getBlobStore: () => blob,
  });
}

function mcpManagerOf({ mcpServers }: ContextServices): MCPManager {
  return Object.freeze({
    getServers: () => mcpServers().map(({ name, type, connected }) => ({ name, type, connected })),
    getAllTools: () =>
      Promise.resolve(
        Object.fromEntries(
          mcpServers().flatMap(({ tools }) =>
            tools.map(({ name, description }) => [name, { name, description }] as const),
          ),
        ),
      ),
  });
}

function callPartsOf(call: PointContext, { toolsOf, runtimeConfig }: ContextServices): CallParts {
  const llmConfig = llmConfigOf(call);
  return {
    llmConfig,
    tools: Object.freeze({
      getAllTools: () =>
        Promise.resolve(
          Object.fromEntries(
            toolsOf(call).map(({ name, description, parameters }) => [
              name,
              { name, description, parameters: copyData(parameters) },
            ]),
          ),
        ),
      hasTool: (toolName: string) => toolsOf(call).some(({ name }) => name === toolName),
      getToolNames: () => toolsOf(call).map(({ name }) => name),
    }),
    state: Object.freeze({
      getLLMConfig: () => llmConfig,
      getRuntimeConfig: () => copyData(runtimeConfig()),
    }),
  };
}

/** The model that answers, by upstream's names and field by field: no key or address can come along. Pure. */
function llmConfigOf({ model, settings }: Pick<PointContext, 'model' | 'settings'>): ValidatedLLMConfig {
  return Object.freeze({
    provider: model.provider,
    model: model.model,
    maxInputTokens: model.contextWindow,
    maxOutputTokens: settings?.maxTokens ?? model.maxOutputTokens,
    ...(settings?.temperature === undefined ? {} : { temperature: settings.temperature }),
  });
}

/** Tenants whose values are kept at one time; beyond it the oldest is evicted, and made again when it is asked for. */
const maxTenants = 1_000;

/** Makes something once for each tenant; undefined is what belongs to nobody. `make` must give the same for the same id. */
function createPerTenant<T>(make: (tenantId: string | undefined) => T): (tenantId: string | undefined) => T {
  const made = new Map<string | undefined, { readonly value: T }>();
  return (tenantId) => {
    const known = made.get(tenantId);
    if (known !== undefined) return known.value;
    const fresh = { value: make(tenantId) };
    made.set(tenantId, fresh);
    for (const oldest of made.keys()) {
      if (made.size <= maxTenants) break;
      made.delete(oldest);
    }
    return fresh.value;
  };
}

/** The sessions of one tenant as plugins see them: to read, and only as long as a plugin looks. */
function createSessionManager(source: SessionSource): SessionManager {
  return Object.freeze({
    async getSession(sessionId: string) {
      const session = await source.open(sessionId);
      return session === undefined ? undefined : viewOf(session);
    },
    listSessions: async () => [...(await source.list())],
    async getSessionMetadata(sessionId: string) {
      const session = await source.open(sessionId);
      return session === undefined ? undefined : metadataOf(session);
    },
  });
}

function viewOf(session: SessionFacts): SessionView {
  return Object.freeze({
    id: session.id,
    metadata: metadataOf(session),
    getHistory: () => Promise.resolve(session.messages().map(saidIn)),
  });
}

/** A fresh object: what a plugin writes into it, nobody reads. */
function metadataOf(session: SessionFacts): SessionMetadata {
  const { createdAt, tenant } = session.header;
  return { createdAt, messageCount: session.messages().length, ...tenant };
}

/** Texts alone; what a tool gave has upstream's role `tool`. */
function saidIn({ role, content }: AgentMessage): { role: string; content: string } {
  return {
    role: role === 'toolResult' ? 'tool' : role,
    content: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
  };
}
