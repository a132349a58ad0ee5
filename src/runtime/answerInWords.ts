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
      const starter = runs.current(own.root.sessionId);
      if (own.hasWords()) approvals.answerInWords(sessionId, 'own');
      else if (starter?.hasWords() === true) approvals.answerInWords(sessionId, 'starter');
      else looksAgain ||= own.isLookedAt || starter?.isLookedAt === true;
    }
    if (looksAgain) stopLooking = clock.after(lookMs, look);
  };
  const heard = [approvals.onDidChange(look), inbox.onDidChange(look)];
  return {
    dispose() {
      stopLooking();
      for (const each of heard) each.dispose();
    },
  };
}
