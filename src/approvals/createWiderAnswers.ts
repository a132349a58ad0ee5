// Threat: one yes lets more run than its words said. So a wider answer covers only what the host alone asks about and no protected
// place (critical), things of one kind in one folder, it ends with its turn or session, and it lies in memory: nothing brings it back.
import type { ApprovalAsk, ApprovalRequest, CallKind, WiderScope } from '../contracts/approval.ts';
import type { ToolCall, ToolEffect } from '../contracts/tool.ts';
import type { ApprovalQuestion } from './approvalBroker.ts';
import type { JudgePath } from './decideAsk.ts';

/** The yeses of this window that cover more than one call and less than for good. */
interface WiderAnswers {
  add(scope: WiderScope, asked: AskedCall): void;
  /** Which of them covers a call; `asks` are those that no remembered "always" answers. */
  find(asked: AskedCall, asks: readonly ApprovalAsk[]): WiderScope | undefined;
}

/** A call, and what is asked about it. */
export interface AskedCall {
  readonly call: ToolCall;
  readonly question: ApprovalQuestion;
}

/** Only what is compared: a question holds whole files. */
interface WiderAnswer extends Pick<ApprovalQuestion, 'grantScope' | 'kind'> {
  readonly scope: WiderScope;
  readonly sessionId: string;
  readonly runId: string;
  readonly tenantId: string | undefined;
  readonly toolName: string;
}

/** Nobody gives more of them in a window; the oldest go. */
const maxAnswers = 500;

export function createWiderAnswers(): WiderAnswers {
  let given: readonly WiderAnswer[] = [];
  return {
    add(scope, { call: { part, turn }, question: { grantScope, kind } }) {
      const { sessionId, runId, tenant } = turn;
      const ofCall = { sessionId, runId, tenantId: tenant?.tenantId, toolName: part.name };
      const answer = { scope, ...ofCall, grantScope, ...(kind === undefined ? {} : { kind }) };
      given = [...given, answer].slice(-maxAnswers);
    },
    find: (asked, asks) =>
      asks.every(isOrdinaryAsk) ? given.find((answer) => covers(answer, asked))?.scope : undefined,
  };
}

/**
 * What may be offered beside once and always: all ordinary edits of the turn in this folder, or for the session what an "always" would
 * cover. Pure.
 */
export function widerScopes(
  question: Pick<ApprovalQuestion, 'kind'>,
  asks: readonly ApprovalAsk[],
  decisions: ApprovalRequest['decisions'],
): readonly WiderScope[] {
  if (!asks.every(isOrdinaryAsk)) return [];
  return [
    ...(question.kind?.does === 'edit' ? (['turn'] as const) : []),
    ...(decisions.includes('allow-always') ? (['session'] as const) : []),
  ];
}

function covers(given: WiderAnswer, asked: AskedCall): boolean {
  const { sessionId, tenant } = asked.call.turn;
  if (given.sessionId !== sessionId || given.tenantId !== tenant?.tenantId) return false;
  return coversOf[given.scope](given, asked);
}

/** What each of them covers; one that is missing here does not compile. */
const coversOf: Readonly<Record<WiderScope, (given: WiderAnswer, asked: AskedCall) => boolean>> = {
  turn: (given, { call, question }) =>
    given.runId === call.turn.runId && isSameKind(given.kind, question.kind),
  session(given, { call, question }) {
    const [mine, theirs] = [given.grantScope, question.grantScope];
    return (
      given.toolName === call.part.name &&
      mine !== undefined &&
      mine.workspace === theirs?.workspace &&
      theirs.targets.every((target) => mine.targets.includes(target))
    );
  },
};

/** What a call does and where; reading changes nothing, and a protected place makes the question critical. Pure. */
export function kindOfCall(effects: readonly ToolEffect[], judgePath: JudgePath): CallKind | undefined {
  const [first, ...others] = effects
    .filter(({ kind }) => kind !== 'read')
    .map((effect) => kindOfEffect(effect, judgePath));
  return others.every((each) => isSameKind(each, first)) ? first : undefined;
}

function kindOfEffect(effect: ToolEffect, judgePath: JudgePath): CallKind | undefined {
  switch (effect.kind) {
    case 'edit':
      return inFolder('edit', effect.edit.path, judgePath);
    case 'execute':
      return inFolder('command', effect.workdir, judgePath);
    case 'network':
      return { does: 'connection', root: '' };
    // Another agent or a person acts on a message, a job later, and others rely on the gateway: each is looked at by itself.
    case 'message':
    case 'send':
    case 'server':
    case 'schedule':
    case 'gateway':
    case 'read':
      return undefined;
  }
}

function inFolder(does: CallKind['does'], path: string, judgePath: JudgePath): CallKind | undefined {
  const root = judgePath(path, 'write').workspace;
  return root === undefined ? undefined : { does, root };
}

/** Whether both do the same kind of thing in the same folder. Pure. */
export function isSameKind(one: CallKind | undefined, other: CallKind | undefined): boolean {
  return one !== undefined && one.does === other?.does && one.root === other.root;
}

/** A question of Pincer's own about no protected place: the others want to be looked at, each by itself. Pure. */
export function isOrdinary({ askers, severity }: Pick<ApprovalRequest, 'askers' | 'severity'>): boolean {
  return severity !== 'critical' && askers.every((asker) => asker === 'host');
}

function isOrdinaryAsk({ asker, severity }: ApprovalAsk): boolean {
  return isOrdinary({ askers: [asker], severity });
}
