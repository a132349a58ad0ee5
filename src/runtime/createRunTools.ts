import { setBounded } from '../base/setBounded.ts';
import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import type { AgentTool } from '../contracts/tool.ts';
import { forbiddenBy } from '../plugins/enablement.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { Session } from '../sessions/session.ts';
import { createToolCatalog, type ToolCatalog } from '../tools/catalog.ts';
import { createParamsValidator } from '../tools/createParamsValidator.ts';
import { createToolPipeline, type ToolPipeline } from '../tools/createToolPipeline.ts';
import type { RemoteTurn } from '../agent/remoteTurn.ts';
import type { RemotePolicy } from '../approvals/decideAsk.ts';
import type { PolicyLayer } from '../tools/policy/decideToolPolicy.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import { askAs, type AskingTurn } from '../agents/askAs.ts';
import type { Lineage } from '../agents/lineageOf.ts';
import { areTooMany, createSearchTool, deferTools } from '../mcp/deferTools.ts';
import type { ModelRef } from '../contracts/model.ts';
import type { PluginToolContext } from '../sdk/types.ts';
import { planPolicyLayers } from '../tools/policy/planPolicyLayers.ts';
import type { RuntimeInput } from './runtime.ts';

/** So many sessions remember what was found in them. */
const maxSessions = 100;

interface RunToolsParts {
  readonly input: RuntimeInput;
  readonly core: readonly AgentTool[];
  readonly layout: () => WorkspaceLayout;
  readonly plugins: PluginManager;
  /** The tools of MCP servers that the user has agreed to, and those that were left out. */
  readonly serverTools: () => readonly AgentTool[];
  /** Tokens that a model takes; undefined for one that is not known. */
  readonly windowOf: (model: ModelRef) => number | undefined;
  readonly approvals: ApprovalBroker;
  readonly traces: RunTraces;
  /** Takes over what the config forbids by now. Must not reject. */
  readonly takeDenials: () => Promise<void>;
  /** Absolute path of the folder that a session's agent works in. */
  readonly folderOf: (session: Session) => string | undefined;
  readonly state: () => {
    readonly isTrusted: boolean;
    readonly config: PincerConfig;
    /** True where commands run in the container. */
    readonly sandboxed: boolean;
  };
}

/** What is known of the run that the tools are for. */
interface RunFacts {
  /** The model that will be asked. */
  readonly model?: ModelRef;
  /** Models that may answer in its place: what one of them may not have, the run has not. */
  readonly fallbacks?: readonly ModelRef[];
  /** There for an agent that another agent has started. */
  readonly lineage?: Lineage | undefined;
  /** These in place of all others. */
  readonly only?: readonly AgentTool[] | undefined;
  /** These beside the core tools. */
  readonly also?: readonly AgentTool[] | undefined;
  /** True for a run that gets no tools at all. */
  readonly withoutTools?: boolean | undefined;
  /** There where a message of a channel began it. */
  readonly remote?: RemoteTurn | undefined;
}

/** What no message of a channel gets done: it reads no other conversation, starts no agents, which are under no policy of its, and leaves the gateway alone. */
function remoteLayer({ channel }: RemoteTurn): PolicyLayer {
  return {
    label: `what a message of ${channel} never gets done`,
    deny: [
      'sessions_list',
      'sessions_history',
      'sessions_send',
      'sessions_spawn',
      'subagents',
      'agents_list',
      'gateway',
    ],
  };
}

/** Who is not the user learns nothing of their config, and has nobody's connections ended. */
const tenantLayer: PolicyLayer = { label: 'what a tenant never gets done', deny: ['gateway'] };

function activeModel({ provider, model }: ModelRef): NonNullable<PluginToolContext['activeModel']> {
  return { provider, modelId: model, modelRef: `${provider}/${model}` };
}

/** What a tool factory is told of the message of a channel that began the run. */
function senderOf({ channel, accountId, senderId, to, threadId }: RemoteTurn): Partial<PluginToolContext> {
  return {
    agentAccountId: accountId,
    requesterSenderId: senderId,
    deliveryContext: { channel, to, accountId, ...(threadId === undefined ? {} : { threadId }) },
  };
}

/** The tools of one run and the pipeline that carries out its calls. */
export interface RunTools {
  catalogFor(session: Session, run?: RunFacts): ToolCatalog;
  /** `asking`: whose calls they are in approvals, where that is not the agent of the chat, and what becomes of a question that nobody follows. */
  pipelineFor(
    catalog: ToolCatalog,
    asking?: AskingTurn & { readonly askedBy?: string | undefined },
    remotePolicy?: RemotePolicy,
  ): ToolPipeline;
}

export function createRunTools(parts: RunToolsParts): RunTools {
  const { input, core, layout, plugins, approvals } = parts;
  const validator = createParamsValidator();
  /** Names of servers' tools that the model of a session has found. */
  const found = new Map<string, Set<string>>();
  const foundIn = (sessionId: string): Set<string> => {
    const names = found.get(sessionId) ?? new Set<string>();
    setBounded(found, sessionId, names, maxSessions);
    return names;
  };
  return {
    catalogFor(
      session,
      { model, fallbacks = [], lineage, only, also = [], withoutTools = false, remote } = {},
    ) {
      const { isTrusted, config, sandboxed } = parts.state();
      const { agentId } = session;
      const workspaceDir = parts.folderOf(session);
      const context = {
        agentId,
        sessionKey: session.key,
        sessionId: session.id,
        messageChannel: remote?.channel ?? input.surface,
        sandboxed,
        ...(workspaceDir === undefined ? {} : { workspaceDir }),
        ...(model === undefined ? {} : { activeModel: activeModel(model) }),
        // A tenant's words are not the user's.
        senderIsOwner: remote?.isOwner ?? session.header.tenant === undefined,
        ...(remote === undefined ? {} : senderOf(remote)),
      };
      const serverTools = withoutTools || only !== undefined ? [] : parts.serverTools();
      const policyBy = (by: PincerConfig): readonly PolicyLayer[] => [
        ...[model, ...fallbacks].flatMap((each) =>
          planPolicyLayers(by, {
            agentId,
            sandboxed,
            ...each,
            ...(lineage === undefined ? {} : { subagent: lineage }),
            ...(remote?.groupIds === undefined ? {} : { groupIds: remote.groupIds }),
          }),
        ),
        ...(remote === undefined ? [] : [remoteLayer(remote), ...remote.toolLayers]),
        ...(session.header.tenant === undefined ? [] : [tenantLayer]),
      ];
      // As they are while the tools are taken: a plugin that is taken down or overridden meanwhile is judged as what it was.
      const loaded = new Map(
        plugins.plugins().flatMap((plugin) => (plugin.status === 'loaded' ? [[plugin.id, plugin]] : [])),
      );
      const create = (added: readonly AgentTool[]): ToolCatalog =>
        createToolCatalog({
          core: withoutTools ? [] : [...(only ?? core), ...also, ...added],
          isWithoutFolder: workspaceDir === undefined,
          plugins: withoutTools || only !== undefined ? [] : [...plugins.tools(context), ...serverTools],
          policy: policyBy(config),
          policyNow: () => policyBy(parts.state().config),
          pluginOffNow: (id) =>
            // One that is not known is judged by all that was said: the workspace's config only takes away from the user's.
            forbiddenBy(
              parts.state().config.plugins,
              loaded.get(id) ?? { id, origin: 'workspace', kind: [] },
            ),
          isReadOnly: !isTrusted,
          validator,
        });
      const catalog = create([]);
      if (serverTools.length === 0) return catalog;
      const usable = catalog.tools().filter(({ owner }) => owner.kind === 'mcp');
      if (!areTooMany(usable, config.mcp, model === undefined ? undefined : parts.windowOf(model)))
        return catalog;
      const known = foundIn(session.id);
      return deferTools(create([createSearchTool(usable, known, layout)]), known);
    },
    pipelineFor: (catalog, { askedBy, ...asking } = {}, remotePolicy) =>
      createToolPipeline({
        catalog,
        validator,
        hooks: plugins.hooks,
        approvals: askedBy === undefined ? approvals : askAs(approvals, askedBy, asking),
        layout,
        clock: input.host.clock,
        log: input.host.log,
        traces: parts.traces,
        takeDenials: parts.takeDenials,
        remotePolicy,
      }),
  };
}
