import { inertLine } from '../base/text.ts';
import type { ApprovalAsk, WiderScope } from '../contracts/approval.ts';
import type { RejectedHunks, ToolCall } from '../contracts/tool.ts';
import type { ApprovalLimits, ApprovalOutcome, ApprovalQuestion, WordsTo } from './approvalBroker.ts';
import type { GrantStore } from './createGrantStore.ts';
import type { GrantQuery } from './grantMatches.ts';
import type { GrantScope } from './planGrantScope.ts';
import { offersAlways } from './planApproval.ts';

/** How a question ended, before it is told to anybody. */
export type UnaskedAnswer = Omit<ApprovalOutcome, 'request' | 'isAsked' | 'rejected'> & {
  readonly rejected?: RejectedHunks;
};

/** The answers that no person gives. */
export const answers = {
  granted: {
    resolution: 'allow-always',
    allowed: true,
    by: 'grant',
    reason: 'Allowed by an earlier "always"',
  },
  denyMode: { resolution: 'deny', allowed: false, by: 'policy', reason: 'Denied: approvals are set to deny' },
  notListed: {
    resolution: 'deny',
    allowed: false,
    by: 'policy',
    reason: 'Denied: approvals are set to allowlist, and nothing that was allowed covers this call',
  },
  nobody: {
    resolution: 'deny',
    allowed: false,
    by: 'policy',
    reason: 'Denied: it needs approval and nobody can answer here',
  },
  cancelled: {
    resolution: 'cancelled',
    allowed: false,
    by: 'cancel',
    reason: 'Approval cancelled (run aborted)',
  },
} as const satisfies Record<string, UnaskedAnswer>;

/** In a turn that nobody follows silence is never a yes, and where nothing may wait nobody is asked. */
export function limitsOf(limits: ApprovalLimits, { unattended }: ApprovalQuestion): ApprovalLimits {
  if (unattended === undefined) return limits;
  const canAsk = unattended === 'review' && (limits.canAsk || limits.canWait === true);
  return { ...limits, timeoutMayAllow: false, canAsk };
}

/** The answer where no person is needed, or none may or can be had. `open`: what no grant answers. Pure. */
export function answerUnasked(
  limits: ApprovalLimits,
  open: readonly ApprovalAsk[],
): UnaskedAnswer | undefined {
  if (limits.mode === 'deny') return answers.denyMode;
  if (open.length === 0) return answers.granted;
  if (limits.mode === 'allowlist') return answers.notListed;
  return limits.canAsk ? undefined : answers.nobody;
}

/** The asks that no remembered "always" answers; each asker needs its own. */
export async function openAsks(
  grants: GrantStore,
  call: ToolCall,
  { asks, grantScope }: Pick<ApprovalQuestion, 'asks' | 'grantScope'>,
): Promise<readonly ApprovalAsk[]> {
  if (grantScope === undefined) return asks;
  const open: ApprovalAsk[] = [];
  for (const each of asks) {
    const query = { toolName: call.part.name, asker: each.asker, ...tenantOf(call) };
    if (!offersAlways(each) || !(await areGranted(grants, query, grantScope))) open.push(each);
  }
  return open;
}

/** True where each target of the call was answered with "always", be it in different calls. */
export async function areGranted(
  grants: Pick<GrantStore, 'matches'>,
  query: Pick<GrantQuery, 'toolName' | 'asker' | 'tenantId'>,
  { workspace, targets }: GrantScope,
): Promise<boolean> {
  for (const target of targets) if (!(await grants.matches({ ...query, workspace, target }))) return false;
  return true;
}

/** The tenant as grants and requests carry it. Pure. */
export function tenantOf({ turn }: ToolCall): { readonly tenantId?: string } {
  const { tenant } = turn;
  return tenant?.tenantId === undefined ? {} : { tenantId: tenant.tenantId };
}

/** What a no may say. Characters. */
const maxWords = 2_000;

/** One sentence for model and record, with what the person said where they did. */
export function deniedBecause(words: string): string {
  const said = inertLine(words, maxWords).trim();
  return said === '' ? 'Denied by user' : `Denied by user, who says: ${said}`;
}

/** What the user said instead of yes or no. */
export function inWords(to: WordsTo): UnaskedAnswer {
  return { resolution: 'deny', allowed: false, by: 'words', reason: wordsReasons[to] };
}

const wordsReasons: Readonly<Record<WordsTo, string>> = {
  own: 'Denied: the user answered in words, which follow',
  starter: 'Denied: the user answered in words, to the agent that started this one',
  waiting: 'Denied: the user answered in words, to the agent that waits for this one',
};

/** An earlier answer of the turn or session covers the call. */
export function allowedWider(scope: WiderScope): UnaskedAnswer {
  return { resolution: 'allow-once', allowed: true, by: scope, reason: widerReasons[scope] };
}

const widerReasons: Readonly<Record<WiderScope, string>> = {
  turn: 'Allowed with all edits of this turn',
  session: 'Allowed for this session',
};

/** The answer of the clock. A timeout allows only where every asker wants that and the user's own config permits it. */
export function timedOut(allows: boolean): UnaskedAnswer {
  const reason = allows ? 'Allowed because nobody answered in time' : 'Approval timed out';
  return { resolution: 'timeout', allowed: allows, by: 'timeout', reason };
}
