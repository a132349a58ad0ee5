import { throwIfAborted } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { inertLine } from '../base/text.ts';
import type { Model } from '../contracts/model.ts';
import type { Session } from '../sessions/session.ts';
import type { CurrentTurn } from './agentTurn.ts';
import { agentModelUnknown, sessionNotVisible } from './agentErrors.ts';
import { lineageOf } from './lineageOf.ts';
import { planSpawn, type SpawnPlan } from './planSpawn.ts';
import { runSubagent } from './runSubagent.ts';
import type { ChildState, SubagentsDeps } from './subagentParts.ts';
import type { SpawnRequest, StartedAgent, SubagentResult, Subagents } from './subagents.ts';

/** Ended ones that are remembered; their transcripts stay. */
const remembered = 100;
const maxLabel = 60;

/** Starts agents for agents, within their limits (`agents.<id>.subagents`), and knows what became of them. */
export function createSubagents(deps: SubagentsDeps): Subagents {
  const children = new Map<string, ChildState>();
  const changed: Emitter<void> = createEmitter();
  const isRunning = ({ info }: ChildState): boolean => info.state === 'running';
  /** One that has ended may go on: with a message, or because the user took it up. */
  const isBusy = (child: ChildState): boolean =>
    isRunning(child) || deps.currentTurn(child.session.id) !== undefined;
  const all = (): readonly ChildState[] => [...children.values()];
  const runningOf = (sessionId: string): readonly ChildState[] =>
    all().filter((child) => child.parentId === sessionId && isRunning(child));
  const descendants = (sessionId: string): readonly ChildState[] =>
    all()
      .filter(({ parentId }) => parentId === sessionId)
      .flatMap((child) => [child, ...descendants(child.info.sessionId)]);

  const forgetOldest = (): void => {
    const old = all().filter((child) => !isRunning(child));
    for (const { info } of old.slice(0, Math.max(0, old.length - remembered)))
      children.delete(info.sessionId);
  };

  /** Its place is taken before anything is waited for: nobody can start more than the limits at once. */
  const reserve = (parent: Session, request: SpawnRequest, plan: AllowedPlan): ChildState => {
    // The user of the turn, who need not be the one that began the session.
    const tenant = deps.currentTurn(parent.id)?.tenant ?? parent.header.tenant;
    const session = deps.createSession({
      agentId: plan.agent.id,
      kind: 'subagent',
      parent: { sessionId: parent.id },
      ...(tenant === undefined ? {} : { tenant }),
    });
    const child = newChild(session, parent, request, plan, deps.clock.now());
    children.set(session.id, child);
    return child;
  };

  const spawn = async (request: SpawnRequest): Promise<StartedAgent> => {
    throwIfAborted(request.signal);
    const parent = await deps.openSession(request.sessionId);
    if (parent === undefined) throw sessionNotVisible(request.sessionId);
    const { agents } = deps.config();
    const headerOf = async (id: string) => (await deps.openSession(id))?.header;
    const lineage = await lineageOf(parent.header, headerOf, agents);
    const plan = planSpawn({
      config: agents,
      agentId: parent.agentId,
      lineage,
      wanted: request.agentId,
      running: all().filter((child) => child.parentId === parent.id && isBusy(child)).length,
      runningEverywhere: all().filter(isBusy).length,
    });
    if (plan.kind === 'refused') throw plan.error;
    const turn = deps.currentTurn(parent.id);
    const model = modelFor(deps, request.model ?? plan.agent.model, turn);
    const child = reserve(parent, request, plan);
    try {
      const own = await lineageOf(child.session.header, headerOf, agents);
      const isLeaf = own?.isLeaf ?? true;
      await runSubagent({ deps, request, parent, child, isLeaf, model, turn, changed });
    } catch (error) {
      children.delete(child.session.id);
      child.settle({ ...notStarted, error: errorMessage(error) });
      changed.fire();
      throw error;
    }
    void child.ended.then(forgetOldest);
    return { info: child.info, ended: child.ended };
  };

  return {
    spawn,
    list: (sessionId) =>
      [...descendants(sessionId)]
        .reverse()
        .map(({ info }) => info)
        .sort((a, b) => b.startedAt - a.startedAt),
    find(sessionId) {
      const child = children.get(sessionId);
      return child === undefined ? undefined : { info: child.info, ended: child.ended };
    },
    stop(sessionId) {
      const child = children.get(sessionId);
      if (child === undefined || !isRunning(child)) return false;
      child.stop('killed');
      return true;
    },
    stopAllOf: (sessionId) => runningOf(sessionId).forEach((child) => child.stop('parent')),
    onDidChange: changed.event,
    async close() {
      const running = all().filter(isRunning);
      running.forEach((child) => child.stop('parent'));
      await Promise.all(running.map(({ ended }) => ended));
      await deps.hooks.settled();
      changed.dispose();
    },
  };
}

const notStarted = { status: 'error', text: '', durationMs: 0, calls: 0, usage: undefined } as const;

type AllowedPlan = Extract<SpawnPlan, { kind: 'allowed' }>;

function newChild(
  session: Session,
  parent: Session,
  request: SpawnRequest,
  { agent, depth }: AllowedPlan,
  startedAt: number,
): ChildState {
  const abort = new AbortController();
  let settle: ChildState['settle'] = () => undefined;
  const ended = new Promise<SubagentResult>((resolve) => (settle = resolve));
  const child: ChildState = {
    session,
    parentId: parent.id,
    info: {
      sessionId: session.id,
      sessionKey: session.key,
      runId: '',
      agentId: agent.id,
      label: inertLine(request.label ?? request.task, maxLabel),
      depth,
      state: 'running',
      startedAt,
    },
    signal: abort.signal,
    stopped: undefined,
    ended,
    settle,
    stop(reason, cause) {
      child.stopped ??= reason;
      abort.abort(cause);
    },
  };
  return child;
}

/** The model that was asked for, else the agent's own, else that of the turn around it. */
function modelFor(deps: SubagentsDeps, name: string | undefined, turn: CurrentTurn | undefined): Model {
  const model = name === undefined ? turn?.model : deps.findModel(name);
  if (model !== undefined) return model;
  if (name !== undefined) throw agentModelUnknown(name);
  throw new PincerError('model_unknown', 'No turn of this session runs, so its model is not known.', {
    hint: 'Name a model.',
  });
}
