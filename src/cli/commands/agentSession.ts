import type { Disposable } from '../../base/disposable.ts';
import { PincerError } from '../../base/errors.ts';
import type { RunOutcome, StopOrigin } from '../../contracts/agentEvent.ts';
import type { PointStop } from '../../dexto/pointFacts.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Session } from '../../sessions/session.ts';
import { sessionUnknown } from '../../sessions/sessionErrors.ts';
import { findSessionId } from '../../sessions/sessionIds.ts';

/** A stop at one of the four extension points, as callers are told it. */
export interface ReportedStop extends Omit<PointStop, 'pluginId' | 'call'> {
  readonly plugin: string;
  /** The tool whose call or result was stopped. */
  readonly toolName?: string;
}

/** Takes down what plugins stop from now on; `of` gives that of one run, in order. */
export function recordStops(
  plugins: Pick<Runtime['plugins'], 'onDidStop'>,
): Disposable & { of(runId: string | undefined): readonly ReportedStop[] } {
  const told: { readonly runId: string; readonly stop: ReportedStop }[] = [];
  const listening = plugins.onDidStop(({ pluginId, call: { runId, toolName }, ...stop }) => {
    const tool = toolName === undefined ? {} : { toolName };
    told.push({ runId, stop: { ...stop, ...tool, plugin: pluginId } });
  });
  return {
    of: (wanted) => told.flatMap(({ runId, stop }) => (runId === wanted ? [stop] : [])),
    dispose: () => listening.dispose(),
  };
}

type Blocked = Extract<RunOutcome, { readonly status: 'blocked' }>;

/** How a run ended, for programs that call: what stands in the place of an answer is a block, and each block has status and code. */
export type CallerOutcome = Exclude<RunOutcome, Blocked> | (Blocked & Required<StopOrigin>);

/** Pure. */
export function toCallerOutcome(outcome: RunOutcome): CallerOutcome {
  if (outcome.status === 'completed' && outcome.stoppedBy !== undefined) {
    const { text, stoppedBy } = outcome;
    return toCallerOutcome({ ...stoppedBy, status: 'blocked', text });
  }
  if (outcome.status !== 'blocked') return outcome;
  return { httpStatus: 403, code: 'PLUGIN_BLOCKED_EXECUTION', ...outcome };
}

/** The session of a message: the one that the command line names, else a new one of the agent that it names. */
interface WantedSession {
  /** An id, or the beginning of one. */
  readonly session?: string;
  readonly agent?: string;
}

/**
 * `chatId`: of the chat that a new session belongs to; default one of its own.
 * @throws PincerError `session_unknown`, `session_ambiguous`, `session_agent_differs`, `agent_unknown`
 */
export async function openSession(
  runtime: { readonly conversations: Pick<Runtime['conversations'], 'sessions' | 'create'> },
  { session: text, agent }: WantedSession,
  chatId?: string,
): Promise<Session> {
  if (text === undefined) return runtime.conversations.create(agent, chatId);
  const { sessions } = runtime.conversations;
  const session = await sessions.open(findSessionId(await sessions.list(), text));
  if (session === undefined) throw sessionUnknown(text);
  if (agent !== undefined && agent !== session.agentId) {
    throw new PincerError(
      'session_agent_differs',
      `The session ${session.id} belongs to the agent ${session.agentId}.`,
      { hint: 'Leave --agent out, or start a new session.' },
    );
  }
  return session;
}
