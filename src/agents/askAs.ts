import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import { withoutMarks } from '../approvals/withoutMarks.ts';
import { ignoreAbort, raceAbort } from '../base/abort.ts';
import type { AgentTurnRequest } from './agentTurn.ts';

/** How its turn asks. */
export type AskingTurn = Pick<AgentTurnRequest, 'unattended' | 'goesOn'>;

/** The same approvals, each question with who asks before anything else: `agent "find the bug": Write notes.md`. */
export function askAs(
  approvals: ApprovalBroker,
  asker: string,
  { unattended, goesOn }: AskingTurn = {},
): ApprovalBroker {
  // A model names its agents.
  const who = withoutMarks(asker);
  return {
    ...approvals,
    async request(call, question) {
      const [first, ...rest] = question.asks;
      const named = { ...first, title: `${who}: ${first.title}` };
      const outcome = await approvals.request(call, {
        ...question,
        asks: [named, ...rest],
        who,
        ...(unattended === undefined ? {} : { unattended }),
      });
      const { signal } = call.turn;
      if (outcome.isAsked && goesOn !== undefined)
        await raceAbort(goesOn(), signal).catch(ignoreAbort(signal));
      return outcome;
    },
  };
}
