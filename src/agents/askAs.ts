import type { ApprovalBroker, UnattendedAnswer } from '../approvals/approvalBroker.ts';

/** What stands between the parts of a row, and what looks like it. */
const separators = /[·•‧∙⋅・]/gu;

/** The same approvals, each question with who asks before anything else: `agent "find the bug": Write notes.md`. */
export function askAs(
  approvals: ApprovalBroker,
  asker: string,
  unattended?: UnattendedAnswer,
): ApprovalBroker {
  // A model names its agents: such a name must not pass for more parts of the row, the command among them.
  const who = asker.replaceAll(separators, '-');
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
