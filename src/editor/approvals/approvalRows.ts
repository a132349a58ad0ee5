import { partsOf } from '../../approvals/fullCall.ts';
import type { QuestionGroup } from '../../approvals/groupQuestions.ts';
import type { ApprovalRecord } from '../../approvals/approvalBroker.ts';
import type { InterruptedApproval } from '../../approvals/createPendingApprovals.ts';
import type { ApprovalGrant, ApprovalRequest } from '../../contracts/approval.ts';
import { parseSessionKey } from '../../sessions/sessionKey.ts';
import type { RunTrace } from '../../traces/runTrace.ts';
import type { ContextKey } from '../contextKeys.ts';

export type ApprovalGroup = 'interrupted' | 'grants' | 'history';

/** A row of the Approvals view. What waits stands at the top, outside of any group. */
export type ApprovalRow =
  | { readonly kind: 'request'; readonly approvalId: string; readonly request: ApprovalRequest }
  | {
      readonly kind: 'fact';
      readonly fact: ApprovalFact;
      readonly approvalId: string;
      readonly index: number;
    }
  | {
      readonly kind: 'together';
      readonly approvalIds: readonly string[];
      readonly questions: QuestionGroup;
    }
  | { readonly kind: 'group'; readonly group: ApprovalGroup; readonly children: readonly ApprovalRow[] }
  | {
      readonly kind: 'interrupted';
      readonly interruptedId: string;
      readonly interrupted: InterruptedApproval;
    }
  | {
      readonly kind: 'grant';
      readonly grantId: string;
      readonly grant: ApprovalGrant;
      /** Whether it holds for a folder of this window. */
      readonly isHere: boolean;
    }
  | { readonly kind: 'record'; readonly approvalId: string; readonly record: ApprovalRecord }
  | { readonly kind: 'earlier'; readonly answer: EarlierAnswer };

/** Stays when the view is drawn anew. */
export function approvalRowId(row: ApprovalRow): string {
  switch (row.kind) {
    case 'request':
      return row.approvalId;
    case 'fact':
      return `${row.approvalId}.${row.index}`;
    case 'together':
      return `together.${row.questions.kind.does}.${row.questions.kind.root}`;
    case 'group':
      return `group.${row.group}`;
    case 'interrupted':
      return `interrupted.${row.interruptedId}`;
    case 'grant':
      return row.grantId;
    case 'record':
      return `record.${row.approvalId}`;
    case 'earlier': {
      // A server may use the id of a call twice in a run.
      const { runId, toolCallId, resolvedAt } = row.answer;
      return `earlier.${runId}.${toolCallId}.${resolvedAt}`;
    }
  }
}

/** What a row says of a request beside the request itself. */
export interface RequestView {
  /** All of it was shown, so that a yes counts. */
  readonly isShown: (approvalId: string) => boolean;
  /** What a yes does where a part of its edits was rejected. */
  readonly ticksOf: (request: ApprovalRequest) => string | undefined;
}

/** As the id, but for what can be allowed together: a row that was drawn for two questions never comes to stand for three. Pure. */
export function approvalRowKey(row: ApprovalRow): string {
  return row.kind === 'together' ? `together ${row.approvalIds.join(' ')}` : approvalRowId(row);
}

/** What a row unfolds to. Pure. */
export function approvalChildRows(row: ApprovalRow): readonly ApprovalRow[] {
  if (row.kind === 'request') return planFacts(row.request);
  return row.kind === 'group' ? row.children : [];
}

/** Changes exactly when a row would look different; what was decided stays as it is. Pure. */
export function approvalRowLook(row: ApprovalRow, { isShown, ticksOf }: RequestView): string {
  switch (row.kind) {
    case 'request':
      return JSON.stringify([isShown(row.approvalId), ticksOf(row.request)]);
    case 'grant':
      return String(row.isHere);
    default:
      return '';
  }
}

/** What the trace of a run tells of an answer: an earlier window gave it, or another one. */
export interface EarlierAnswer {
  readonly runId: string;
  /** Undefined where the trace, an old one, can't tell. */
  readonly sessionId: string | undefined;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly title: string;
  /** What the title does not name; traces of earlier versions do not have it. */
  readonly asked?: string;
  readonly resolution: string;
  readonly by: string;
  readonly isAllowed: boolean;
  /** Milliseconds since the epoch. */
  readonly resolvedAt: number;
}

/** One thing that is to be known of a call before it is answered. */
export type ApprovalFact =
  | { readonly is: 'tool'; readonly text: string }
  | {
      readonly is: 'reason' | 'command' | 'folder' | 'address' | 'file' | 'param';
      readonly text: string;
      readonly name?: string;
    }
  | { readonly is: 'part'; readonly text: string; readonly number: number }
  | { readonly is: 'askers'; readonly askers: readonly string[] }
  | { readonly is: 'always'; readonly covers: string | undefined }
  | { readonly is: 'time'; readonly request: ApprovalRequest }
  | { readonly is: 'call' };

interface ApprovalState {
  readonly pending: readonly ApprovalRequest[];
  /** Those of them that one yes may answer; default none. */
  readonly together?: readonly QuestionGroup[];
  readonly interrupted: readonly InterruptedApproval[];
  readonly grants: readonly ApprovalGrant[];
  readonly history: readonly ApprovalRecord[];
  /** The traces of runs, those of earlier windows among them; default none. */
  readonly traces?: readonly RunTrace[];
  /** Absolute paths of the folders of this window; default none. */
  readonly folders?: readonly string[];
}

/** More is behind the traces of the runs. */
const shownRecords = 50;

/** The rows of the view: what waits, what of it can be allowed together, what the last window left open, what is always allowed, what was decided (newest first). Pure. */
export function planApprovalRows({
  pending,
  together = [],
  interrupted,
  grants,
  history,
  traces = [],
  folders = [],
}: ApprovalState): readonly ApprovalRow[] {
  const records = history.map((record): DatedRow => ({
    at: record.resolvedAt,
    row: { kind: 'record', approvalId: record.request.id, record },
  }));
  const earlier = earlierAnswers(traces, history).map((answer): DatedRow => ({
    at: answer.resolvedAt,
    row: { kind: 'earlier', answer },
  }));
  const groups: readonly Extract<ApprovalRow, { kind: 'group' }>[] = [
    {
      kind: 'group',
      group: 'interrupted',
      children: interrupted.map((each) => ({
        kind: 'interrupted',
        interruptedId: each.id,
        interrupted: each,
      })),
    },
    {
      kind: 'group',
      group: 'grants',
      children: grants.map((grant) => ({
        kind: 'grant',
        grantId: grant.id,
        grant,
        isHere: folders.includes(grant.workspace),
      })),
    },
    {
      kind: 'group',
      group: 'history',
      children: [...records, ...earlier]
        .sort((a, b) => b.at - a.at)
        .slice(0, shownRecords)
        .map(({ row }) => row),
    },
  ];
  return [
    ...pending.map((request): ApprovalRow => ({ kind: 'request', approvalId: request.id, request })),
    // Below them: where it came above, it would stand under a pointer that means one question.
    ...together.map((questions): ApprovalRow => ({
      kind: 'together',
      approvalIds: questions.requests.map(({ id }) => id),
      questions,
    })),
    ...groups.filter(({ children }) => children.length > 0),
  ];
}

interface DatedRow {
  readonly at: number;
  readonly row: ApprovalRow;
}

/** The answers that traces tell of and this window's own history does not. */
function earlierAnswers(
  traces: readonly RunTrace[],
  history: readonly ApprovalRecord[],
): readonly EarlierAnswer[] {
  const known = new Set(history.map(({ request }) => `${request.runId} ${request.toolCallId}`));
  return traces.flatMap(
    ({ runId, sessionKey, sessionId = parseSessionKey(sessionKey)?.chatId, startedAt, lines }) =>
      lines.flatMap((line) => {
        if (line.kind !== 'approval' || known.has(`${runId} ${line.toolCallId}`)) return [];
        const { toolCallId, toolName, title, resolution, by, isAllowed, at, durationMs } = line;
        const resolvedAt = startedAt + at + durationMs;
        const about = line.asked === undefined ? {} : { asked: line.asked };
        const answer = { toolCallId, toolName, title, ...about, resolution, by, isAllowed, resolvedAt };
        return [{ runId, sessionId, ...answer }];
      }),
  );
}

/** How many characters of a part a row shows in a narrow view. */
const shownOfRow = 30;

/** The whole call, a row for each thing. Pure. */
export function planFacts(request: ApprovalRequest): readonly ApprovalRow[] {
  const { effects = [], edits, params, askers, decisions, grantLabel, toolName, id } = request;
  const facts: readonly ApprovalFact[] = [
    ...effects.flatMap((effect): readonly ApprovalFact[] =>
      effect.kind === 'execute'
        ? [
            { is: 'reason', text: effect.reason },
            { is: 'command', text: effect.command },
            ...partsOf(effect, shownOfRow).map((text, at) => ({ is: 'part', text, number: at + 1 }) as const),
            { is: 'folder', text: effect.workdir },
          ]
        : [{ is: 'address', text: effect.url }],
    ),
    ...edits.map((edit): ApprovalFact => ({ is: 'file', text: edit.label })),
    { is: 'askers', askers },
    { is: 'tool', text: toolName },
    // A diff shows the parameters of an edit.
    ...(edits.length > 0
      ? []
      : Object.entries(params).map(([name, value]): ApprovalFact => ({
          is: 'param',
          name,
          text: typeof value === 'string' ? value : JSON.stringify(value),
        }))),
    { is: 'always', covers: decisions.includes('allow-always') ? grantLabel : undefined },
    { is: 'time', request },
    { is: 'call' },
  ];
  return facts.map((fact, index) => ({ kind: 'fact', fact, approvalId: id, index }));
}

/** What the palette and the keys go by: the answers that some question offers, and whether one was shown whole. Pure. */
export function planWaitingKeys(
  pending: readonly ApprovalRequest[],
  together: readonly QuestionGroup[],
  wasShown: (request: ApprovalRequest) => boolean,
): readonly (readonly [ContextKey, boolean])[] {
  return [
    ['pincer.hasPendingApprovals', pending.length > 0],
    ['pincer.offersAlways', pending.some(({ decisions }) => decisions.includes('allow-always'))],
    ['pincer.offersTurn', pending.some(({ wider }) => wider.includes('turn'))],
    ['pincer.offersSession', pending.some(({ wider }) => wider.includes('session'))],
    ['pincer.offersTogether', together.length > 0],
    ['pincer.hasShownQuestion', pending.some(wasShown)],
  ];
}

/** A title begins with who asks, where that is not the agent of the chat: a row, which is cut at its end, says first what is asked. Pure. */
export function askedFirst({ title, who }: Pick<ApprovalRequest, 'title' | 'who'>): {
  readonly what: string;
  readonly who: string | undefined;
} {
  const begins = `${who ?? ''}: `;
  return who !== undefined && title.startsWith(begins) && title.length > begins.length
    ? { what: title.slice(begins.length), who }
    : { what: title, who: undefined };
}
