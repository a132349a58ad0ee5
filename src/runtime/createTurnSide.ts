import type { RunHandle } from '../agent/turn.ts';
import type { ResolvedModel } from '../agents/resolveAgentModel.ts';
import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import type { Disposable } from '../base/disposable.ts';
import { PincerError } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import type { Model } from '../contracts/model.ts';
import type { Tenant } from '../contracts/tenant.ts';
import type { DextoSide } from '../dexto/createDextoSide.ts';
import { resolveTenant } from '../dexto/tenant/resolveTenant.ts';
import type { Clock } from '../host/ports.ts';
import type { McpServers } from '../mcp/mcpServers.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { Inbox } from '../sessions/createInbox.ts';
import type { Session } from '../sessions/session.ts';
import { chatIdForTenant } from '../sessions/sessionKey.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import { createPromptCheck } from './checkOutsideTurns.ts';
import type { Conversations } from './conversations.ts';
import type { AgentCore } from './createAgentCore.ts';
import { createConversations } from './createConversations.ts';
import { createRuns, type Runs, type TurnEvent, type TurnRequest } from './createRuns.ts';
import { createRunTools, type RunTools } from './createRunTools.ts';
import { createSessionLife, type SessionLife, removeSession, rotateSession } from './createSessionLife.ts';
import type { TurnQueue } from './createTurnQueue.ts';
import type { RuntimeInput, StartedTurn } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

interface TurnSideParts {
  readonly input: RuntimeInput;
  readonly state: RuntimeState;
  readonly core: AgentCore;
  readonly plugins: PluginManager;
  readonly mcp: Pick<McpServers, 'tools' | 'leftOut'>;
  readonly dexto: Pick<DextoSide, 'plugins' | 'tenants' | 'events'>;
  readonly events: InternalEvents;
  readonly models: ModelRegistry;
  readonly traces: RunTraces;
  readonly queue: TurnQueue;
  /** Takes over what the config forbids by now. Must not reject. */
  readonly takeDenials: () => Promise<void>;
  /** Hears every event of every turn; must not throw. */
  readonly told: (turn: TurnEvent) => void;
  /** The model of a session that chose none. */
  readonly defaultModel: () => Model;
}

/** Turns and conversations, once plugins are there. */
export interface TurnSide {
  readonly runs: Runs;
  readonly tools: RunTools;
  readonly life: SessionLife;
  /** @throws PincerError `model_unknown` */
  readonly modelFor: (session: Session) => Model;
  readonly conversations: Conversations;
  /** A turn of a person; after a pause in a fresh session. */
  readonly startRun: (request: TurnRequest) => Promise<StartedTurn>;
  /** A turn that an agent or a plugin began, in that very session. */
  readonly startTurn: (request: TurnRequest) => Promise<RunHandle>;
  /** The session belongs to the tenant that the code runs for. */
  readonly createSession: (agentId: string, chatId?: string, channel?: string) => Session;
  /** The tenant that the code runs for that asks now. */
  readonly tenantNow: () => Tenant | undefined;
  readonly removeSession: (id: string) => Promise<void>;
  readonly dispose: () => void;
}

export function createTurnSide(parts: TurnSideParts): TurnSide {
  const { input, state, core, plugins, dexto, models, queue } = parts;
  const { host } = input;
  const { sessions, agents } = core;
  const { commands, approvals, checkpoints } = core.tools;

  const life = createSessionLife({
    hooks: plugins.hooks,
    clock: host.clock,
    disk: { openSessions: core.openSessions, sessions, log: host.log },
    cleanUp: async (session, how) => {
      // For plugins the chat goes on where another session has come in its place.
      const goesOn = how === 'delete' && (await sessions.isReplaced(session.id));
      await Promise.all([
        goesOn ? core.state.removeSession(session.id) : plugins.endSession(session, how),
        commands.jobs.endSession(session.id),
      ]);
    },
  });
  const tools = createRunTools({
    input,
    core: core.tools.core,
    layout: state.layout,
    plugins,
    serverTools: () => [...parts.mcp.tools(), ...parts.mcp.leftOut()],
    windowOf: (model) => models.get(model)?.info.contextWindow,
    approvals,
    traces: parts.traces,
    takeDenials: parts.takeDenials,
    folderOf: agents.folderOf,
    state: () => ({
      isTrusted: state.isTrusted(),
      config: state.config(),
      sandboxed: commands.place() === 'sandbox',
    }),
  });
  const runs = createRuns({
    ...core,
    host,
    surface: input.surface,
    plugins,
    dexto,
    models,
    tools,
    traces: parts.traces,
    checkpoints,
    events: parts.events,
    sessionState: core.state,
    enters: (session) => core.tools.begin(session),
    config: state.config,
    problem: state.problem,
    signal: state.signal,
    changed: () => conversations.changed(),
    told: parts.told,
  });
  const words = answerInWords({ approvals, inbox: core.inbox, runs, clock: host.clock });
  const tenantNow = (): Tenant | undefined =>
    resolveTenant({ current: dexto.tenants.current(), config: state.config().dexto.tenant });
  const modelFor = (session: Session): Model => {
    const chosen = agents.modelOf(session);
    const found = chosen === undefined ? undefined : models.find(chosen.model);
    if (found !== undefined) return found;
    if (chosen === undefined || chosen.source === 'config') return parts.defaultModel();
    throw modelNotThere(chosen);
  };
  const remove = (id: string): Promise<void> => removeSession({ ...core, runs, life }, id);
  const conversations = createConversations({
    ...core,
    runs,
    folders: state.folders,
    tenant: tenantNow,
    checkPrompt: createPromptCheck({ problem: state.problem, hooks: plugins.hooks }),
    modelFor,
    catalogFor: (session, model) =>
      tools.catalogFor(session, { model: model.info, lineage: agents.knownLineage(session) }),
    removeSession: remove,
  });

  return {
    tenantNow,
    createSession(agentId, wanted, channel) {
      const tenant = tenantNow();
      const chatId =
        wanted === undefined || sessions.isOfOthers(wanted, tenant)
          ? undefined
          : chatIdForTenant(wanted, tenant?.tenantId);
      return sessions.create(state.folders(), {
        agentId,
        ...(channel === undefined ? {} : { channel }),
        ...(chatId === undefined ? {} : { chatId }),
        ...(tenant === undefined ? {} : { tenant }),
      });
    },
    runs,
    tools,
    life,
    modelFor,
    conversations: conversations.conversations,
    ...createTurnStarts({ input, state, core, dexto, models, queue, runs, life }),
    removeSession: remove,
    dispose() {
      words.dispose();
      conversations.dispose();
    },
  };
}

interface TurnStartParts extends Pick<
  TurnSideParts,
  'input' | 'state' | 'core' | 'dexto' | 'models' | 'queue'
> {
  readonly runs: Runs;
  readonly life: SessionLife;
}

/** The ways into a turn: for its tenant, after changes on disk, in the session that a pause leaves. */
function createTurnStarts(parts: TurnStartParts): Pick<TurnSide, 'startRun' | 'startTurn'> {
  const { state, core, dexto, models, queue, runs, life } = parts;
  const { clock } = parts.input.host;
  /** For whom a turn runs; a session that is still new becomes theirs. @throws PincerError `tenant_mismatch` */
  const withTenant = (request: TurnRequest): TurnRequest => {
    const { session } = request;
    const { tenant, isNew } = { tenant: session.header.tenant, isNew: session.isNew };
    const found = resolveTenant({
      explicit: request.tenant,
      current: dexto.tenants.current(),
      session: { tenant, isNew },
      config: state.config().dexto.tenant,
    });
    if (found === undefined) return request;
    if (found.tenantId !== undefined) session.adopt(found);
    return { ...request, tenant: found };
  };
  const begin = async (request: TurnRequest): Promise<RunHandle> => {
    const { session, tenant } = request;
    const ids = { sessionId: session.id, agentId: session.agentId };
    if (session.isNew && dexto.events.has('session:created'))
      dexto.events.emit('session:created', ids, tenant);
    life.touch(session);
    return await runs.begin(request);
  };
  /** Waits until changes on disk are loaded, where running turns hold that up. Every turn does, unless another turn waits for it. */
  const yieldToLoads = async ({ signal, emit }: TurnRequest): Promise<void> => {
    // Where no turn runs, not even a tick passes: what is asked for after this turn must come after it.
    if (queue.running() === 0) return;
    const ahead = await queue.yieldToLoads(signal, () => emit({ type: 'waiting', for: 'changes' }));
    if (ahead > 0)
      emit({ type: 'notice', text: `Changes on disk wait for ${plural(ahead, 'running turn')}.` });
  };
  return {
    startRun: async (given) => {
      const { emit } = given;
      await yieldToLoads(given);
      const isRegistered = models.get(given.model.info) === given.model;
      return await queue.startTurn(async (isLate) => {
        if (isLate)
          emit({
            type: 'notice',
            text: 'Looking for changes on disk took more than 2 s: this turn began with what was loaded before.',
          });
        // The config may have changed it meanwhile.
        const model = (isRegistered ? models.get(given.model.info) : undefined) ?? given.model;
        // First of all: nobody ends another tenant's session.
        const request = withTenant({ ...given, model });
        const session = await rotateSession(
          {
            isRunning: runs.current(request.session.id) !== undefined,
            clock,
            sessions: core.sessions,
            life,
            inbox: core.inbox,
            reset: state.config().session.reset,
            folders: state.folders(),
            catchUp: (each) => runs.catchUp(each),
          },
          request.session,
        );
        return { ...(await begin({ ...request, session })), session };
      }, given.receivedAt);
    },
    startTurn: async (request) => {
      if (request.isAwaited !== true) await yieldToLoads(request);
      return await queue.startTurn(() => begin(withTenant(request)));
    },
  };
}

/** Another model in its place might send the workspace somewhere the user did not choose. */
function modelNotThere({ model, source }: ResolvedModel): PincerError {
  return new PincerError(
    'model_unknown',
    `The ${source} names the model ${model}, which is not configured.`,
    {
      hint: 'Add it with Pincer: Add Model…, or name another one: /model in the chat, --model on the command line.',
    },
  );
}

interface AnswerInWordsParts {
  readonly approvals: Pick<ApprovalBroker, 'pending' | 'answerInWords' | 'onDidChange'>;
  readonly inbox: Pick<Inbox, 'onDidChange'>;
  readonly runs: Pick<Runs, 'current'>;
  readonly clock: Pick<Clock, 'after'>;
}

type LiveTurn = NonNullable<ReturnType<Runs['current']>>;

/** How often a surface is asked for new words where it does not tell of them. Milliseconds. */
const pollIntervalMs = 200;

/**
 * What the user says to a turn that waits for a yes or no is the answer: the question is denied, and the words follow as the next
 * message. That holds for the questions of the agents that the turn has started or waits for, too.
 */
function answerInWords({ approvals, inbox, runs, clock }: AnswerInWordsParts): Disposable {
  let stopLooking = (): void => undefined;
  const look = (): void => {
    stopLooking();
    let looksAgain = false;
    for (const { sessionId } of approvals.pending()) {
      const own = runs.current(sessionId);
      if (own === undefined) continue;
      const others = turnsAround(own);
      if (own.hasWords()) approvals.answerInWords(sessionId, 'own');
      else if (others.some((each) => each.hasWords()))
        approvals.answerInWords(sessionId, own.session.header.kind === 'subagent' ? 'starter' : 'waiting');
      else looksAgain ||= [own, ...others].some((each) => each.isPolled);
    }
    if (looksAgain) stopLooking = clock.after(pollIntervalMs, look);
  };
  /** The turns around that of a started agent, or of a session that another one waits for, up to the user's own. */
  const turnsAround = ({ session, waitingSession }: LiveTurn): readonly LiveTurn[] => {
    const { kind, parent } = session.header;
    const outer = kind === 'subagent' ? parent?.sessionId : waitingSession();
    const turn = outer === undefined ? undefined : runs.current(outer);
    return turn === undefined ? [] : [turn, ...turnsAround(turn)];
  };
  const heard = [approvals.onDidChange(look), inbox.onDidChange(look)];
  return {
    dispose() {
      stopLooking();
      for (const each of heard) each.dispose();
    },
  };
}
