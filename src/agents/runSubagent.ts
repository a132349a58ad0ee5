import { childTrace } from '../agent/turn.ts';
import { raceAbort, throwIfAborted } from '../base/abort.ts';
import { errorMessage } from '../base/errors.ts';
import type { Emitter } from '../base/event.ts';
import { inertLine, plural } from '../base/text.ts';
import type { EventOf, RunOutcome, AgentEvent } from '../contracts/agentEvent.ts';
import type { Model } from '../contracts/model.ts';
import type { Session } from '../sessions/session.ts';
import { sessionNotVisible, tooManyDelivered } from './agentErrors.ts';
import type { CurrentTurn } from './agentTurn.ts';
import type { SubagentInfo } from './subagentInfo.ts';
import { outcomeOf, resultOf } from './subagentOutcome.ts';
import type { ChildState, SubagentsDeps } from './subagentParts.ts';
import type { SpawnRequest, SubagentResult } from './subagents.ts';
import type { UsageSum } from '../contracts/usage.ts';
import type { PromptPart } from '../contracts/promptReport.ts';

/** One start that is within the limits. */
interface SubagentStart {
  readonly deps: SubagentsDeps;
  readonly request: SpawnRequest;
  readonly parent: Session;
  readonly child: ChildState;
  readonly isLeaf: boolean;
  readonly model: Model;
  /** The turn that starts it. */
  readonly turn: CurrentTurn | undefined;
  readonly changed: Emitter<void>;
}

/**
 * Asks the hooks, starts the turn, and follows it to its end. Resolves once it runs.
 * @throws PincerError `subagent_refused`, `cancelled`
 */
export async function runSubagent(start: SubagentStart): Promise<void> {
  const { deps, request, parent, child } = start;
  const release = linkStops(start);
  try {
    const wanted = await deps.hooks.spawning(child.info, parent.key, request.runId, child.signal);
    throwIfAborted(child.signal);
    deps.carryTaint(parent, child.session);
    // Whoever goes on with it later goes on with the same model.
    if (request.model !== undefined) await child.session.setSettings({ model: request.model });
    const progress = createAgentProgress(child.info.label);
    const handle = await raceAbort(startTurn(start, progress), child.signal);
    update(start, { runId: handle.runId });
    deps.hooks.spawned(child.info, parent.key);
    void follow(start, progress, handle.outcome, wanted)
      .then((result) => child.settle(result))
      .finally(release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Whatever stops the turn around it stops it, and so does its time. Gives what takes both away. */
function linkStops({ deps, request, child }: SubagentStart): () => void {
  const { signal, timeoutMs } = request;
  const onAbort = (): void => child.stop('parent', signal.reason);
  // It may have aborted while the limits were looked up; nobody would hear of that any more.
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  const stopTimer =
    timeoutMs === undefined ? undefined : deps.clock.after(timeoutMs, () => child.stop('timeout'));
  return () => {
    stopTimer?.();
    signal.removeEventListener('abort', onAbort);
  };
}

function startTurn(start: SubagentStart, progress: Progress): ReturnType<SubagentsDeps['startTurn']> {
  const { deps, request, parent, child, turn } = start;
  const calls = new Map<string, EventOf<'tool_started'>>();
  let runId = '';
  let answer = 0;
  return deps.startTurn({
    session: child.session,
    prompt: request.task,
    model: start.model,
    // The agent's own settings are added to it, as to every turn.
    settings: request.thinking === undefined ? {} : { thinking: request.thinking },
    parts: [subagentRole({ startedBy: parent.agentId, isLeaf: start.isLeaf })],
    askedBy: `agent "${child.info.label}"`,
    ...(turn === undefined ? {} : { trace: childTrace(turn.trace), within: turn.root }),
    isAwaited: true,
    budget: turn?.budget,
    signal: child.signal,
    emit(event) {
      const line = progress.note(event);
      if (line !== undefined && child.info.state === 'running') request.onProgress?.(line);
      switch (event.type) {
        case 'run_started':
          runId = event.runId;
          break;
        case 'message':
          answer += 1;
          break;
        case 'tool_started':
          calls.set(event.call.id, event);
          break;
        case 'tool_ended': {
          const { call, result, facts } = event;
          const started = calls.get(call.id);
          calls.delete(call.id);
          const { label, sessionId } = child.info;
          const at = { label, sessionId, runId, answer };
          turn?.emit({ type: 'subagent_call_ended', ...at, call, result, facts, started });
          break;
        }
        // Whoever watches the turn around it must see the question, and be able to answer it there.
        case 'approval_requested':
        case 'approval_resolved':
        case 'subagent_call_ended':
          turn?.emit(event);
          break;
        default:
          break;
      }
    },
  });
}

async function follow(
  start: SubagentStart,
  progress: Progress,
  outcome: Promise<RunOutcome>,
  wanted: string | undefined,
): Promise<SubagentResult> {
  const { deps, request, parent, child } = start;
  const startedAt = deps.clock.monotonic();
  const ended = outcomeOf(await outcome, child.stopped);
  const result = resultOf(ended, child.session.messages(), {
    durationMs: deps.clock.monotonic() - startedAt,
    calls: progress.calls,
    usage: progress.usage,
  });
  deps.carryTaint(child.session, parent);
  update(start, { state: stateOf(result), endedAt: deps.clock.now() });
  const target = await deps.hooks.ended(child.info, parent.key, result, wanted);
  if (target !== undefined && target !== parent.key) await deliver(start, target, result);
  if (request.cleanup === 'delete') await removeSession(start);
  return result;
}

/** Puts the answer among the waiting messages of the session that a plugin has named, too: the agent that started it has it anyway. */
async function deliver(
  { deps, parent, child }: SubagentStart,
  key: string,
  result: SubagentResult,
): Promise<void> {
  const { label } = child.info;
  try {
    const session = await deps.sessionOfKey(key);
    if (session === undefined || !mayReach(parent, session)) throw sessionNotVisible(key);
    const waiting = await deps.inbox.open(session.id);
    if (waiting.filter(({ from }) => from === 'agent').length >= maxDelivered) throw tooManyDelivered();
    deps.carryTaint(child.session, session);
    const head = `Answer of the agent "${label.replaceAll('"', "'")}", which session ${parent.id} has started; a plugin sent it here. It is not from the user.`;
    await deps.inbox.add(session.id, 'followUp', `${head}\n\n${result.error ?? result.text}`, 'agent');
  } catch (error) {
    const why = errorMessage(error);
    deps.log.write(
      'warn',
      `A plugin wants the answer of the agent "${label}" under ${inertLine(key, 100)}, too: ${why}`,
    );
  }
}

/** Answers that may wait in one session: the user's own messages need room, too. */
const maxDelivered = 5;

/** Chats of the same agent and tenant, as the tools for sessions reach them. */
function mayReach(parent: Session, { header, agentId }: Session): boolean {
  return (
    header.kind === 'chat' &&
    agentId === parent.agentId &&
    header.tenant?.tenantId === parent.header.tenant?.tenantId
  );
}

/** A result is a result, also where its session can't be removed. */
async function removeSession({ deps, child }: SubagentStart): Promise<void> {
  try {
    await deps.removeSession(child.session.id);
  } catch (error) {
    const why = errorMessage(error);
    deps.log.write('warn', `The session ${child.session.id} of a started agent stays: ${why}`);
  }
}

function update({ child, changed }: SubagentStart, change: Partial<SubagentInfo>): void {
  child.info = { ...child.info, ...change };
  changed.fire();
}

function stateOf({ status }: SubagentResult): SubagentInfo['state'] {
  if (status === 'ok') return 'completed';
  return status === 'killed' ? 'cancelled' : 'failed';
}

/** What a started agent has done so far. */
interface Progress {
  /** Takes an event of the agent's turn; gives the line to show where there is something new. */
  note(event: AgentEvent): string | undefined;
  readonly calls: number;
  /** Names of the tools that were called, each once, in order. */
  readonly toolNames: readonly string[];
  /** What its model calls have used; undefined where nothing was counted. */
  readonly usage: UsageSum | undefined;
  /** `3 tool calls, 1200 tokens`. */
  summary(): string;
}

const maxLine = 160;

/** Tells what a started agent does in one line each time, for the answer of the agent that waits for it. */
function createAgentProgress(label: string): Progress {
  const toolNames = new Set<string>();
  let calls = 0;
  let usage: UsageSum | undefined;

  const summary = (): string => {
    const tokens = usage === undefined ? 0 : usage.input + usage.output;
    const used = tokens === 0 ? '' : `, ${usage?.isEstimated === true ? 'about ' : ''}${tokens} tokens`;
    return `${plural(calls, 'tool call')}${used}`;
  };
  const line = (text: string): string => `${inertLine(`${label}: ${text}`, maxLine)} (${summary()})`;

  return {
    note(event) {
      switch (event.type) {
        case 'tool_started':
          calls += 1;
          toolNames.add(event.call.name);
          return line(event.label);
        case 'tool_progress':
          // The lines of an agent that it has started itself.
          return line(event.text);
        case 'usage':
          usage = event.use.turn ?? usage;
          return undefined;
        case 'approval_requested':
          return line(`asks: ${event.request.title}`);
        case 'model_retry':
          return line(`the model is asked again: ${event.because.message}`);
        case 'compaction_started':
          return line('shortens its conversation');
        default:
          return undefined;
      }
    },
    get calls() {
      return calls;
    },
    get toolNames() {
      return [...toolNames];
    },
    get usage() {
      return usage;
    },
    summary,
  };
}

/** What a started agent is told of itself: who reads its answer, and how far it may go. Pure. */
function subagentRole(facts: {
  /** Name of the agent that started it. */
  readonly startedBy: string;
  readonly isLeaf: boolean;
}): PromptPart {
  const others = facts.isLeaf
    ? 'You may start no other agents.'
    : 'You may start other agents where parts of the task can be done apart.';
  return {
    id: 'subagent',
    title: 'Started by another agent',
    owner: { kind: 'pincer' },
    place: 'system',
    text: [
      '# Your task comes from another agent',
      `The agent ${facts.startedBy} has started you for one task, and waits. Your last message is all it gets: put every finding, path and number into it that it needs.`,
      `Do that task only. Nobody can answer questions; where something is missing, say so in your last message. ${others}`,
    ].join('\n\n'),
  };
}
