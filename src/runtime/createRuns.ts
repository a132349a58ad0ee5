import type { ContextManager } from '../agent/context/createContextManager.ts';
import type { OpenedEngine } from '../agent/context/openedEngine.ts';
import type { RemoteTurn } from '../agent/remoteTurn.ts';
import { runAgent } from '../agent/runAgent.ts';
import type { MemoryFlush, ModelCallEvent, RunHandle, RunInput, RunToolSet } from '../agent/turn.ts';
import type { AgentTurnRequest, CurrentTurn } from '../agents/agentTurn.ts';
import { lowerLimits, resolveSettings } from '../agents/resolveSettings.ts';
import type { RemotePolicy } from '../approvals/decideAsk.ts';
import { raceAbort } from '../base/abort.ts';
import { errorMessage } from '../base/errors.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import { rememberTexts } from '../base/setBounded.ts';
import { plural } from '../base/text.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { AgentEvent } from '../contracts/agentEvent.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model, ModelInfo, ModelRef } from '../contracts/model.ts';
import type { AgentTool, ToolDefinition } from '../contracts/tool.ts';
import type { DextoSide } from '../dexto/createDextoSide.ts';
import { relayAgentEvent } from '../dexto/events/createAgentEventBus.ts';
import type { Host } from '../host/ports.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import type { SessionTaint } from '../net/createSessionTaint.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { Inbox } from '../sessions/createInbox.ts';
import type { PluginSessionState } from '../sessions/pluginSessionState.ts';
import type { Session } from '../sessions/session.ts';
import { isPeerKey } from '../sessions/sessionKey.ts';
import type { TurnLocks } from '../sessions/turnLocks.ts';
import type { HiddenTool, ToolCatalog } from '../tools/catalog.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import { agentStopped } from './agentStopped.ts';
import type { RunningTurn } from './conversations.ts';
import type { AgentSide } from './createAgentSide.ts';
import { createDiagnosticRelay, createModelCallRelay } from './createDiagnosticRelay.ts';
import type { PromptSide } from './createPromptSide.ts';
import type { RunTools } from './createRunTools.ts';
import { createSessionLanes } from './createSessionLanes.ts';
import { toAgentEventPayload } from './pluginEventPayloads.ts';
import { isPromptRead, isReadText } from './readText.ts';
import type { RunRequest } from './runtime.ts';
import { withFallbacks } from './withFallbacks.ts';

interface RunsParts {
  readonly host: Host;
  readonly surface: string;
  readonly plugins: PluginManager;
  readonly dexto: Pick<DextoSide, 'plugins' | 'tenants' | 'events'>;
  readonly models: ModelRegistry;
  readonly tools: RunTools;
  readonly traces: RunTraces;
  readonly checkpoints: Pick<Checkpoints, 'joinTurn' | 'endTurn'>;
  readonly events: InternalEvents;
  readonly sessionState: PluginSessionState;
  readonly inbox: Inbox;
  readonly prompts: PromptSide;
  readonly agents: Pick<AgentSide, 'agentOf' | 'folderOf' | 'lineageOf' | 'subagents'>;
  readonly contextManagerOf: (session: Session) => ContextManager;
  readonly openEngine: (session: Session) => OpenedEngine | undefined;
  readonly planFlush: (model: ModelInfo) => PlannedFlush | undefined;
  /** Told of what enters a session beside the user's words. */
  readonly taint: Pick<SessionTaint, 'read' | 'enter'>;
  readonly turnLocks: TurnLocks;
  /** Called once the session has been read up to date, before its turn begins. */
  readonly enters: (session: Session) => void;
  readonly config: () => PincerConfig;
  /** Why no turn may begin. */
  readonly problem: () => Diagnostic | undefined;
  /** Aborts when the window loses trust or the runtime stops. */
  readonly signal: () => AbortSignal;
  /** A turn began or ended. */
  readonly changed: () => void;
  /** Hears every event of every turn; must not throw. */
  readonly told: (turn: TurnEvent) => void;
}

/** An event, and the turn that it is of. */
export interface TurnEvent {
  readonly session: Session;
  readonly runId: string;
  readonly event: AgentEvent;
}

/** A turn of a person, or one that an agent or a plugin began. */
export type TurnRequest = RunRequest & Partial<Omit<AgentTurnRequest, keyof RunRequest>>;

/** A plan whose model is there, and its tool. */
export interface PlannedFlush extends Pick<MemoryFlush, 'prompt' | 'systemPrompt' | 'model'> {
  readonly pluginId: string;
  readonly tool: AgentTool;
}

/** What a turn that runs was given. */
interface Running extends RunningTurn, CurrentTurn {
  readonly handle: RunHandle;
  readonly hidden: readonly HiddenTool[];
  /** None before the model stands. */
  readonly tools: readonly ToolDefinition[];
  /** Whether the user has said something that this turn has not read yet. */
  hasWords(): boolean;
  /** True where `hasWords` has to be polled: the surface tells of nothing. */
  readonly isPolled: boolean;
  /** As the request says. */
  readonly waitingSession: () => string | undefined;
}

/** Starts turns and knows which of them, and of their observers, still run. */
export interface Runs {
  /**
   * Once the turns before it in the same session have ended.
   * @throws PincerError `cancelled` while it waits for them, `agent_stopped` while `problem` gives one
   */
  begin(request: TurnRequest): Promise<RunHandle>;
  /** Reads what other processes have added to a session. Never rejects. */
  catchUp(session: Session): Promise<void>;
  /** The turn of a session that runs now. */
  current(sessionId: string): Running | undefined;
  /** The session is about to be deleted: its turn is cancelled, and so are those that wait for it. Resolves when none runs. */
  clear(sessionId: string): Promise<void>;
  /** Newest first. */
  all(): readonly RunningTurn[];
  /** Resolves when nothing of any turn runs any more. */
  settled(): Promise<void>;
}

/** How many texts are remembered without their keys: parts of prompts, which most turns share. */
const maxRemembered = 64;

export function createRuns(parts: RunsParts): Runs {
  const { host, plugins, dexto, tools, events, agents } = parts;
  const redact = rememberTexts(redactKeys, maxRemembered);
  const unsettled = new Set<Promise<void>>();
  const current = new Map<string, Running>();
  const lanes = createSessionLanes();

  const follow = (handle: RunHandle, { session, signal }: TurnRequest, ended: AbortController): void => {
    unsettled.add(handle.settled);
    void handle.settled.finally(() => {
      unsettled.delete(handle.settled);
      plugins.endRun(handle.runId);
      parts.checkpoints.endTurn(handle.runId);
    });
    void handle.outcome.then(({ status }) => {
      current.delete(session.id);
      ended.abort();
      agents.subagents.stopAllOf(session.id);
      parts.changed();
      const isStopped = status === 'cancelled' && signal.aborted;
      if (isStopped && events.has('command', 'stop'))
        void events.emit('command', 'stop', { sessionKey: session.key, context: { sessionId: session.id } });
    });
  };

  const fallbacksOf = (session: Session): readonly string[] =>
    agents.agentOf(session).fallbacks ?? parts.config().agent.fallbacks;

  /** The settings, limits and texts of the session's agent, as they are when the turn begins. */
  const planRun = async (
    request: TurnRequest,
    signal: AbortSignal,
    catalogFor: (model: ModelRef, only?: readonly AgentTool[]) => ToolCatalog,
  ): Promise<RunInput> => {
    const { session, parts: added = [] } = request;
    const { agent: general } = parts.config();
    const agent = agents.agentOf(session);
    const fallbacks = fallbacksOf(session);
    const own = await parts.prompts.parts(session, {
      attached: request.attachedPaths,
      toolNames: () =>
        catalogFor(request.model.info)
          .tools()
          .map(({ name }) => name),
    });
    const flush = (info: ModelInfo): MemoryFlush | undefined => {
      const plan = parts.planFlush(info);
      if (plan === undefined) return undefined;
      const catalog = catalogFor(info, [plan.tool]);
      const pipeline = tools.pipelineFor(catalog, { askedBy: `memory plugin "${plan.pluginId}"` });
      return { ...plan, toolSet: { tools: catalog.tools(), pipeline } };
    };
    return {
      ...request,
      model: withFallbacks(parts.models, request.model, fallbacks),
      settings: resolveSettings({
        agentConfig: general,
        agent,
        session: session.settings(),
        turn: request.settings,
      }),
      promptParts: [...own, ...added],
      limits: lowerLimits(general.limits, request.limits),
      inbox: parts.inbox,
      context: parts.contextManagerOf(session),
      engine: parts.openEngine(session),
      // Started agents have none (upstream). Nor has a conversation of a channel: what strangers said there would become the user's memory.
      ...(session.header.kind === 'subagent' || isPeerKey(session.key) ? {} : { flush }),
      trigger: request.trigger ?? (session.header.kind === 'subagent' ? 'subagent' : 'user'),
      surface: parts.surface,
      workspaceDir: agents.folderOf(session),
      waitingInjections: () => parts.sessionState.waiting(session, (id) => plugins.mayInject(id)),
      reports: {
        ...parts.prompts.reports,
        keep(report) {
          if (isPromptRead(report)) parts.taint.read(session.id);
          parts.prompts.reports.keep(report);
        },
      },
      signal,
    };
  };

  /** @throws PincerError `agent_stopped` while `problem` gives one, `cancelled` */
  const requireReady = async (signal: AbortSignal): Promise<void> => {
    // `info`: a watcher is loading something again. That is no reason to send the user away.
    if (parts.problem()?.level === 'info') await raceAbort(dexto.plugins.settled(), signal);
    const problem = parts.problem();
    if (problem !== undefined) throw agentStopped(problem);
  };

  /** Another process may work on the session: its turn ends first, and what it has added is read. */
  const beginAlone = async (request: TurnRequest, signal: AbortSignal): Promise<RunHandle> => {
    const { session, emit } = request;
    await requireReady(signal);
    const leave = await parts.turnLocks.take(session.id, signal, () =>
      emit({ type: 'waiting', for: 'session' }),
    );
    try {
      const added = await catchUp(session);
      if (added > 0) emit({ type: 'notice', text: wentOnElsewhere(added) });
      parts.enters(session);
      const handle = await begin(request);
      const left = handle.outcome.then(leave, leave);
      unsettled.add(left);
      void left.then(() => unsettled.delete(left));
      return handle;
    } catch (error) {
      await leave();
      throw error;
    }
  };

  /** What others have added to the session and to what waits in it. A disk that fails is found out by what the turn writes. */
  const catchUp = async (session: Session): Promise<number> => {
    try {
      const [added] = await Promise.all([session.catchUp(), parts.inbox.open(session.id)]);
      return added;
    } catch (error) {
      host.log.write('warn', `What others added to ${session.id} could not be read: ${errorMessage(error)}`);
      return 0;
    }
  };

  const begin = async (request: TurnRequest): Promise<RunHandle> => {
    const { session, model, tenant, within } = request;
    await requireReady(request.signal);
    const cancel = new AbortController();
    const ended = new AbortController();
    const signal = AbortSignal.any([request.signal, parts.signal(), cancel.signal]);
    const lineage = await agents.lineageOf(session);
    const catalogFor = (ref: ModelRef, only?: readonly AgentTool[]): ToolCatalog =>
      tools.catalogFor(session, {
        model: ref,
        fallbacks: fallbacksOf(session).flatMap((name) => parts.models.find(name)?.info ?? []),
        lineage,
        only,
        withoutTools: request.withoutTools,
        remote: request.remote,
      });
    const input = await planRun(request, signal, catalogFor);
    if (request.attachments.length > 0) parts.taint.read(session.id);
    // What a sender wrote is text from outside, in later turns of its conversation, too.
    if (request.remote !== undefined || isPeerKey(session.key)) parts.taint.enter(session.id);
    let hidden: readonly HiddenTool[] = [];
    let given: readonly ToolDefinition[] = [];
    let runId = '';
    let seq = 0;
    const toDiagnostics = createDiagnosticRelay(
      {
        ...{ sessionKey: session.key, sessionId: session.id, agentId: session.agentId },
        channel: request.remote?.channel ?? parts.surface,
        trigger: input.trigger ?? 'user',
      },
      host.clock,
    );
    const emit = (event: AgentEvent): void => {
      if (event.type === 'tool_ended' && isReadText(event.result)) parts.taint.read(session.id);
      if (event.type === 'run_started') ({ runId } = event);
      relayAgentEvent(dexto.events, { sessionId: session.id, runId, tenant }, event);
      plugins.agentEvent(() => {
        const { id: sessionId, key: sessionKey, agentId } = session;
        const turn = { runId, seq: seq + 1, ts: host.clock.now(), sessionKey, sessionId, agentId };
        const payload = toAgentEventPayload(turn, event);
        if (payload !== undefined) seq += 1;
        return payload;
      });
      // Takes each event, whoever listens: a later one may end what this one began.
      const diagnostics = toDiagnostics(event);
      plugins.diagnosticEvents(() => diagnostics);
      parts.told({ session, runId, event });
      try {
        input.emit(event);
      } catch (error) {
        // VS Code may have closed the answer: the turn must end, and store what its calls did, all the same.
        host.log.write(
          'warn',
          `An event (${event.type}) of ${session.id} could not be shown: ${errorMessage(error)}`,
        );
      }
    };
    let asked: Model = model;
    const toolsFor = (ref: ModelRef): RunToolSet => {
      const catalog = catalogFor(ref);
      asked = parts.models.get(ref) ?? model;
      hidden = catalog.hidden();
      given = catalog.tools();
      return {
        get tools() {
          return catalog.tools();
        },
        pipeline: tools.pipelineFor(catalog, request, remotePolicyOf(request.remote)),
      };
    };
    const deps = {
      hooks: plugins.hooks,
      toolsFor,
      findModel: (ref: ModelRef) => parts.models.get(ref),
      clock: host.clock,
      log: host.log,
      redact,
      traces: parts.traces,
      internal: events,
    };
    const toModelCall = createModelCallRelay();
    const onModelCall = (call: ModelCallEvent): void => plugins.diagnosticEvents(() => [toModelCall(call)]);
    const run = (): RunHandle => runAgent(deps, { ...input, emit, onModelCall });
    const handle = tenant === undefined ? run() : dexto.tenants.run(tenant, run);
    ({ runId } = handle);
    if (within !== undefined) parts.checkpoints.joinTurn(runId, within);
    current.set(session.id, {
      session,
      handle,
      root: within ?? { runId, sessionId: session.id },
      trace: handle.trace,
      startedAt: host.clock.monotonic(),
      emit: handle.emit,
      budget: request.budget,
      ended: ended.signal,
      cancel: () => cancel.abort(),
      hasWords: () =>
        request.shouldYield?.() === true ||
        parts.inbox.list(session.id).some(({ kind, from }) => kind === 'steer' && from === undefined),
      isPolled: request.shouldYield !== undefined,
      waitingSession: () => request.waitingSession?.(),
      get model() {
        return asked;
      },
      get hidden() {
        return hidden;
      },
      get tools() {
        return given;
      },
      ...(tenant === undefined ? {} : { tenant }),
    });
    follow(handle, { ...request, signal }, ended);
    parts.changed();
    return handle;
  };

  return {
    async catchUp(session) {
      await catchUp(session);
    },
    async begin(request) {
      const signal = AbortSignal.any([request.signal, parts.signal()]);
      return await lanes.enter(request.session.id, signal, () => beginAlone(request, signal));
    },
    async clear(sessionId) {
      lanes.clear(sessionId);
      const turn = current.get(sessionId);
      turn?.cancel();
      await turn?.handle.outcome;
    },
    current: (sessionId) => current.get(sessionId),
    all: () => [...current.values()].reverse(),
    async settled() {
      await Promise.all(unsettled);
    },
  };
}

/** A sender of a channel reads and asks; one that is the user has changes made, each allowed by a person. */
function remotePolicyOf(remote: RemoteTurn | undefined): RemotePolicy | undefined {
  if (remote === undefined) return undefined;
  return { kind: remote.isOwner ? 'ask' : 'read', who: `A sender on ${remote.channel}` };
}

function wentOnElsewhere(messages: number): string {
  return `This session went on in another window or program: ${plural(messages, 'message')} from there ${messages === 1 ? 'is' : 'are'} read now, too.`;
}
