import { showHidden } from '../../approvals/showHidden.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';

const longest = 4_000;

/** The parameters of a call that no diff shows, as JSON with hidden characters as codes; undefined where a diff shows them. Pure. */
export function shownParams(request: ApprovalRequest): string | undefined {
  if (request.edits.length > 0 || Object.keys(request.params).length === 0) return undefined;
  const json = showHidden(JSON.stringify(request.params, null, 2));
  return json.length <= longest
    ? json
    : `${json.slice(0, longest)}\n… (${String(json.length)} characters in all)`;
}

/** The same as a code block whose fence nothing inside can close. Pure. */
export function shownParamsBlock(request: ApprovalRequest): string {
  const json = shownParams(request);
  if (json === undefined) return '';
  const longestRun = Math.max(0, ...[...json.matchAll(/`+/gu)].map((run) => run[0].length));
  const fence = '`'.repeat(Math.max(3, longestRun + 1));
  return `\n\n${fence}json\n${json}\n${fence}`;
}
