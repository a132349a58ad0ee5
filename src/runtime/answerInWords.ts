import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Clock } from '../host/ports.ts';
import type { Inbox } from '../sessions/inbox.ts';
import type { Runs } from './createRuns.ts';

export interface AnswerInWordsParts {
  readonly approvals: Pick<ApprovalBroker, 'pending' | 'answerInWords' | 'onDidChange'>;
  readonly inbox: Pick<Inbox, 'onDidChange'>;
  readonly runs: Pick<Runs, 'current'>;
  readonly clock: Pick<Clock, 'after'>;
}

type Turn = NonNullable<ReturnType<Runs['current']>>;

/** How often a surface is asked that does not tell of new words by itself. Milliseconds. */
const lookMs = 200;

/**
 * What the user says to a turn that waits for a yes or no is the answer: the question is denied, and the words follow as the next
 * message. That holds for the questions of the agents that the turn has started, too.
 */
export function answerInWords({ approvals, inbox, runs, clock }: AnswerInWordsParts): Disposable {
  let stopLooking = (): void => undefined;
  const look = (): void => {
    stopLooking();
    let looksAgain = false;
    for (const { sessionId } of approvals.pending()) {
      const own = runs.current(sessionId);
      if (own === undefined) continue;
      const starters = startersOf(own);
      if (own.hasWords()) approvals.answerInWords(sessionId, 'own');
      else if (starters.some((each) => each.hasWords())) approvals.answerInWords(sessionId, 'starter');
      else looksAgain ||= [own, ...starters].some((each) => each.isLookedAt);
    }
    if (looksAgain) stopLooking = clock.after(lookMs, look);
  };
  /** The turns around that of a started agent, up to the user's own. */
  const startersOf = ({ session }: Turn): readonly Turn[] => {
    const { kind, parent } = session.header;
    const turn = kind === 'subagent' && parent !== undefined ? runs.current(parent.sessionId) : undefined;
    return turn === undefined ? [] : [turn, ...startersOf(turn)];
  };
  const heard = [approvals.onDidChange(look), inbox.onDidChange(look)];
  return {
    dispose() {
      stopLooking();
      for (const each of heard) each.dispose();
    },
  };
}
