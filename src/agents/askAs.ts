import type { ApprovalBroker, UnattendedAnswer } from '../approvals/approvalBroker.ts';

/** The same approvals, each question with who asks before anything else: `agent "find the bug": Write notes.md`. */
export function askAs(approvals: ApprovalBroker, who: string, unattended?: UnattendedAnswer): ApprovalBroker {
  return {
    ...approvals,
    request(call, question) {
      const [first, ...rest] = question.asks;
      const named = { ...first, title: `${who}: ${first.title}` };
      return approvals.request(call, {
        ...question,
        asks: [named, ...rest],
        who,
        ...(unattended === undefined ? {} : { unattended }),
      });
    },
  };
}
