// Threat: one yes lets more run than its words said. So a wider answer covers only what the host alone asks about and no protected
// place (critical), things of one kind in one folder, it ends with its turn or session, and it lies in memory: nothing brings it back.
import type { ApprovalAsk, ApprovalRequest, CallKind, WiderScope } from '../contracts/approval.ts';
import type { ToolEffect } from '../contracts/tool.ts';
import type { ApprovalInput } from './approvalBroker.ts';
import type { JudgePath } from './decideAsk.ts';

/** The yeses of this window that cover more than one call and less than for good. */
export interface WiderAnswers {
  add(scope: WiderScope, input: ApprovalInput): void;
  /** Which of them covers a call; `asks` are those that no remembered "always" answers. */
  find(input: ApprovalInput, asks: readonly ApprovalAsk[]): WiderScope | undefined;
}

/** Only what is compared: an input holds whole files. */
interface WiderAnswer extends Pick<
  ApprovalInput,
  'sessionId' | 'runId' | 'toolName' | 'tenantId' | 'grantScope' | 'kind'
> {
  readonly scope: WiderScope;
}

/** Nobody gives more of them in a window; the oldest go. */
const maxAnswers = 500;

export function createWiderAnswers(): WiderAnswers {
  let given: readonly WiderAnswer[] = [];
  return {
    add(scope, { sessionId, runId, toolName, tenantId, grantScope, kind }) {
      const rest = {
        ...(tenantId === undefined ? {} : { tenantId }),
        ...(kind === undefined ? {} : { kind }),
      };
      given = [...given, { scope, sessionId, runId, toolName, grantScope, ...rest }].slice(-maxAnswers);
    },
    find: (input, asks) =>
      asks.every(isOrdinaryAsk) ? given.find((answer) => covers(answer, input))?.scope : undefined,
  };
}

/**
 * What may be offered beside once and always: all ordinary edits of the turn in this folder, or for the session what an "always" would
 * cover. Pure.
 */
export function widerScopes(
  input: Pick<ApprovalInput, 'kind'>,
  asks: readonly ApprovalAsk[],
  decisions: ApprovalRequest['decisions'],
): readonly WiderScope[] {
  if (!asks.every(isOrdinaryAsk)) return [];
  return [
    ...(input.kind?.does === 'edit' ? (['turn'] as const) : []),
    ...(decisions.includes('allow-always') ? (['session'] as const) : []),
  ];
}

function covers(given: WiderAnswer, input: ApprovalInput): boolean {
  if (given.sessionId !== input.sessionId || given.tenantId !== input.tenantId) return false;
  return coversOf[given.scope](given, input);
}

/** What each of them covers; one that is missing here does not compile. */
const coversOf: Readonly<Record<WiderScope, (given: WiderAnswer, input: ApprovalInput) => boolean>> = {
  turn: (given, input) => given.runId === input.runId && isSameKind(given.kind, input.kind),
  session(given, input) {
    const [mine, theirs] = [given.grantScope, input.grantScope];
    return (
      given.toolName === input.toolName &&
      mine !== undefined &&
      mine.workspace === theirs?.workspace &&
      mine.target === theirs.target
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
    // Another agent acts on a message: each is looked at by itself.
    case 'message':
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
