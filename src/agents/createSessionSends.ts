import { childTrace } from '../agent/turn.ts';
import { raceAbort } from '../base/abort.ts';
import { inertLine } from '../base/text.ts';
import type { RunOutcome } from '../contracts/agentEvent.ts';
import type { Model } from '../contracts/model.ts';
import type { Turn } from '../contracts/tool.ts';
import type { Clock } from '../host/ports.ts';
import type { Inbox } from '../sessions/createInbox.ts';
import type { Session } from '../sessions/session.ts';
import type { PlannedSend, SendAnswer, SessionRow } from '../tools/core/sessions/agentSessions.ts';
import type { CurrentTurn, StartAgentTurn } from './agentTurn.ts';
import { sendLoop, sendToItself } from './agentErrors.ts';

/** What `sessions_send` needs of the world. */
export interface SessionSendsDeps {
  readonly clock: Clock;
  readonly inbox: Pick<Inbox, 'add'>;
  readonly openSession: (id: string) => Promise<Session | undefined>;
  readonly currentTurn: (sessionId: string) => CurrentTurn | undefined;
  readonly startTurn: StartAgentTurn;
  /** The model that answers in a session. */
  readonly modelFor: (session: Session) => Model;
  readonly carryTaint: (from: Session, to: Session) => void;
  /** Aborts when the runtime stops or the window loses trust. */
  readonly signal: () => AbortSignal;
}

/** Messages from one session to another. */
interface SessionSends {
  /** @throws PincerError `session_send_self`, `session_send_loop` */
  plan(
    caller: Turn,
    target: { readonly session: Session; readonly row: SessionRow; readonly isOwn: boolean },
    request: { readonly message: string; readonly waitMs: number },
  ): Promise<PlannedSend>;
}

/** Sessions that wait for each other's answer, at most. */
const longestChain = 3;

export function createSessionSends(deps: SessionSendsDeps): SessionSends {
  /** Sessions whose turn a send has begun: the sessions that wait for it, the first sender first. */
  const waiting = new Map<string, readonly string[]>();

  const send = async (
    sender: Session,
    target: Session,
    {
      message,
      waitMs,
      isOwn,
    }: { readonly message: string; readonly waitMs: number; readonly isOwn: boolean },
    signal: AbortSignal,
  ): Promise<SendAnswer> => {
    deps.carryTaint(sender, target);
    const prompt = headed(sender, message);
    if (deps.currentTurn(target.id) !== undefined || waiting.has(target.id)) {
      await deps.inbox.add(target.id, 'followUp', prompt, 'agent');
      return { status: 'queued' };
    }
    const chain = [...(waiting.get(sender.id) ?? []), sender.id];
    waiting.set(target.id, chain);
    const turn = deps.currentTurn(sender.id);
    const stop = new AbortController();
    let isStarted = false;
    let isWaiting = true;
    try {
      const starting = deps.startTurn({
        session: target,
        prompt,
        model: deps.modelFor(target),
        settings: {},
        parts: [],
        askedBy: `session "${inertLine(target.name() ?? target.id, 40)}"`,
        ...(turn === undefined ? {} : { trace: childTrace(turn.trace) }),
        isAwaited: true,
        waitingSession: () => (isWaiting ? sender.id : undefined),
        budget: turn?.budget,
        // What an agent has started ends with its turn, also where it goes on once more.
        signal: AbortSignal.any([
          stop.signal,
          deps.signal(),
          ...(isOwn && turn !== undefined ? [turn.ended] : []),
        ]),
        emit(event) {
          if (event.type === 'approval_requested' || event.type === 'approval_resolved') turn?.emit(event);
        },
      });
      // It may have to wait for a turn that has just begun there.
      const handle = await raceAbort(starting, signal);
      isStarted = true;
      const ended = handle.outcome.finally(() => waiting.delete(target.id));
      const outcome = await within(deps.clock, ended, waitMs, signal);
      if (outcome === undefined) return { status: 'running' };
      deps.carryTaint(target, sender);
      return answerOf(outcome);
    } catch (error) {
      // Who no longer waits has been cancelled by the user, and with it what was begun for it.
      stop.abort(signal.reason);
      if (!isStarted) waiting.delete(target.id);
      throw error;
    } finally {
      isWaiting = false;
    }
  };

  return {
    async plan(caller, { session: target, row, isOwn }, request) {
      const sender = await deps.openSession(caller.sessionId);
      if (sender === undefined || sender.id === target.id) throw sendToItself();
      const chain = waiting.get(sender.id) ?? [];
      if (chain.includes(target.id) || chain.length >= longestChain) throw sendLoop();
      return {
        sessionId: target.id,
        title: row.title,
        isOwn,
        send: (signal) => send(sender, target, { ...request, isOwn }, signal),
      };
    },
  };
}

/** Models must not take it for the user's own words. */
function headed(sender: Session, message: string): string {
  return `Message from another agent (${sender.agentId}, session ${sender.id}), not from the user:\n\n${message}`;
}

/** What `work` gives, or undefined where it takes longer. Rejects with `cancelled` as soon as the signal aborts. */
async function within(
  clock: Clock,
  work: Promise<RunOutcome>,
  ms: number,
  signal: AbortSignal,
): Promise<RunOutcome | undefined> {
  let stopTimer = (): void => undefined;
  const late = new Promise<undefined>((resolve) => (stopTimer = clock.after(ms, () => resolve(undefined))));
  try {
    return await raceAbort(Promise.race([work, late]), signal);
  } finally {
    stopTimer();
  }
}

function answerOf(outcome: RunOutcome): SendAnswer {
  switch (outcome.status) {
    case 'completed':
      return { status: 'ok', reply: outcome.text };
    case 'blocked':
      return { status: 'error', error: `the plugin ${outcome.pluginId} blocked it: ${outcome.text}` };
    case 'failed':
      return { status: 'error', error: outcome.message };
    case 'cancelled':
    case 'yielded':
      return { status: 'error', error: 'it was stopped.' };
  }
}
