// Threat: a plugin runs the user's agent on its own words, again and again, and with it every tool. So its runs are limited like
// a started agent's, ask under the plugin's name, stay in sessions of the plugin's own, and only a few go on at one time.
import { PincerError } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import type { AgentsConfig } from '../config/sections/agentsSection.ts';
import type { RunOutcome } from '../contracts/agentEvent.ts';
import type { Model, ModelInfo, ModelSettings, ThinkingLevel } from '../contracts/model.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import type { UsageSum } from '../contracts/usage.ts';
import type { Clock } from '../host/ports.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionOrigin } from '../sessions/sessionStore.ts';
import type { SessionTenant } from '../sessions/visibleToTenant.ts';
import type { StartAgentTurn } from './agentTurn.ts';
import { agentModelUnknown, agentUnknown, embeddedSessionForeign, embeddedTooMany } from './agentErrors.ts';

/** One agent turn that a plugin asks for. */
export interface EmbeddedRequest {
  readonly pluginId: string;
  /** The plugin's own name for the session; the same name goes on with it. Missing: a new one. */
  readonly sessionName?: string;
  readonly prompt: string;
  /** `provider/model`; default: the user's choice. */
  readonly model?: string;
  readonly agentId?: string;
  readonly thinking?: ThinkingLevel;
  readonly extraSystemPrompt?: string;
  readonly withoutTools: boolean;
  /** Milliseconds; default: what one turn may take. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** One that runs. */
export interface EmbeddedRun {
  readonly runId: string;
  readonly session: Session;
  /** Never rejects. */
  readonly ended: Promise<EmbeddedResult>;
}

export interface EmbeddedResult {
  readonly outcome: RunOutcome;
  readonly isTimeout: boolean;
  readonly durationMs: number;
  /** The model that answered. */
  readonly model: ModelInfo;
  readonly usage: UsageSum | undefined;
}

/** Agent turns of plugins: `api.runtime.agent.runEmbeddedAgent` and `api.runtime.subagent`. */
export interface EmbeddedAgents {
  /** Resolves once it runs. @throws PincerError `plugin_agent_too_many`, `model_unknown`, `plugin_model_missing` */
  run(request: EmbeddedRequest): Promise<EmbeddedRun>;
  /** A session of the plugin by its name. @throws PincerError `session_unknown` */
  session(pluginId: string, name: string): Session;
  /** Removes such a session. @throws PincerError `session_unknown` */
  remove(pluginId: string, name: string): Promise<void>;
  /** The folder that an agent works in; undefined where none is open. */
  folderOf(agentId: string): string | undefined;
}

interface EmbeddedAgentsDeps {
  readonly clock: Clock;
  readonly createSession: (origin: SessionOrigin) => Session;
  readonly removeSession: (id: string) => Promise<void>;
  readonly startTurn: StartAgentTurn;
  readonly findModel: (name: string) => Model | undefined;
  readonly folderOf: (agentId: string) => string | undefined;
  /** What the user has chosen; undefined where there is only the model that is no AI. */
  readonly defaultModel: () => Model | undefined;
  readonly config: () => { readonly agents: AgentsConfig };
  /** Aborts when the runtime stops or the window loses trust. */
  readonly signal: () => AbortSignal;
  /** On whose behalf the plugin's code runs now; absent, on nobody's. */
  readonly tenant?: () => SessionTenant | undefined;
}

/** Runs of one plugin at one time; one that starts another one from its own hooks ends here, too. */
const maxRuns = 3;

export function createEmbeddedAgents(deps: EmbeddedAgentsDeps): EmbeddedAgents {
  const running = new Map<string, number>();
  const sessions = new Map<string, Session>();
  const tenantOf = (): SessionTenant | undefined => deps.tenant?.();
  /** The same name is another session for another tenant. */
  const nameOf = (pluginId: string, name: string): string =>
    JSON.stringify([pluginId, name, tenantOf()?.tenantId ?? null]);
  const count = (pluginId: string, change: 1 | -1): void =>
    void running.set(pluginId, (running.get(pluginId) ?? 0) + change);

  const sessionFor = ({ pluginId, sessionName, agentId }: EmbeddedRequest): Session => {
    const known = sessionName === undefined ? undefined : sessions.get(nameOf(pluginId, sessionName));
    if (known !== undefined) return known;
    const { list } = deps.config().agents;
    const agent = list.find(({ id, isDefault }) => (agentId === undefined ? isDefault : id === agentId));
    if (agent === undefined)
      throw agentUnknown(
        agentId ?? 'main',
        list.map(({ id }) => id),
      );
    const tenant = tenantOf();
    const session = deps.createSession({
      agentId: agent.id,
      kind: 'subagent',
      ...(tenant === undefined ? {} : { tenant }),
    });
    for (const name of [session.key, session.id, ...(sessionName === undefined ? [] : [sessionName])])
      sessions.set(nameOf(pluginId, name), session);
    return session;
  };
  const find = (pluginId: string, name: string): Session => {
    const session = sessions.get(nameOf(pluginId, name));
    if (session === undefined) throw embeddedSessionForeign(pluginId, name);
    return session;
  };

  return {
    async run(request) {
      const { pluginId } = request;
      if ((running.get(pluginId) ?? 0) >= maxRuns) throw embeddedTooMany(pluginId, maxRuns);
      const model = modelFor(deps, request);
      const session = sessionFor(request);
      count(pluginId, 1);
      try {
        const { runId, ended } = await start(deps, request, session, model);
        return { runId, session, ended: ended.finally(() => count(pluginId, -1)) };
      } catch (error) {
        count(pluginId, -1);
        throw error;
      }
    },
    session: find,
    folderOf: deps.folderOf,
    async remove(pluginId, name) {
      const session = find(pluginId, name);
      for (const [key, each] of sessions) if (each === session) sessions.delete(key);
      await deps.removeSession(session.id);
    },
  };
}

async function start(
  deps: EmbeddedAgentsDeps,
  request: EmbeddedRequest,
  session: Session,
  model: Model,
): Promise<Pick<EmbeddedRun, 'runId' | 'ended'>> {
  const { pluginId, prompt, timeoutMs, withoutTools, thinking } = request;
  const settings: ModelSettings = thinking === undefined ? {} : { thinking };
  const limit = new AbortController();
  const stopTimer = timeoutMs === undefined ? undefined : deps.clock.after(timeoutMs, () => limit.abort());
  const startedAt = deps.clock.monotonic();
  let answering = model.info;
  let usage: UsageSum | undefined;
  const signals = [limit.signal, deps.signal(), ...(request.signal === undefined ? [] : [request.signal])];
  try {
    const handle = await deps.startTurn({
      session,
      prompt,
      model,
      settings,
      parts: partsOf(request),
      ...(withoutTools ? { withoutTools } : {}),
      askedBy: `plugin ${inertLine(pluginId, 40)}`,
      // Hooks and tools run agents in the middle of a turn.
      isAwaited: true,
      signal: AbortSignal.any(signals),
      emit(event) {
        if (event.type === 'run_started') answering = event.model;
        if (event.type === 'model_fallback') answering = event.to;
        if (event.type === 'usage') usage = event.use.turn;
      },
    });
    const ended = handle.outcome.then((outcome) => {
      stopTimer?.();
      return {
        outcome,
        isTimeout: limit.signal.aborted,
        durationMs: deps.clock.monotonic() - startedAt,
        model: answering,
        usage,
      };
    });
    return { runId: handle.runId, ended };
  } catch (error) {
    stopTimer?.();
    throw error;
  }
}

function partsOf({ pluginId, extraSystemPrompt = '' }: EmbeddedRequest): readonly PromptPart[] {
  if (extraSystemPrompt.trim() === '') return [];
  return [
    {
      id: `plugin:${pluginId}`,
      title: 'For a run that a plugin began',
      owner: { kind: 'plugin', pluginId },
      place: 'system',
      text: extraSystemPrompt,
    },
  ];
}

function modelFor(deps: EmbeddedAgentsDeps, { model: name, pluginId }: EmbeddedRequest): Model {
  const model = name === undefined ? deps.defaultModel() : deps.findModel(name);
  if (model !== undefined) return model;
  if (name !== undefined) throw agentModelUnknown(name);
  throw new PincerError(
    'plugin_model_missing',
    `Plugin ${pluginId} runs an agent, and there is no model for it.`,
    {
      hint: 'Add one with Pincer: Add Model…, and make it the default.',
    },
  );
}
