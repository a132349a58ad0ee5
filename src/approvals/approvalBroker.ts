import type { Disposable } from '../base/disposable.ts';
import type { PincerError } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import type {
  AnsweredBy,
  BatchAnswer,
  ApprovalAsk,
  ApprovalDecision,
  ApprovalRequest,
  ApprovalResolution,
  CallKind,
  Surface,
  WiderScope,
} from '../contracts/approval.ts';
import type { Params } from '../contracts/jsonTypes.ts';
import type { ExecuteEffect, FileEdit, NetworkEffect, RejectedHunks, ToolCall } from '../contracts/tool.ts';
import type { ApprovalMode, ModeState } from './decideMode.ts';
import type { InterruptedApproval } from './createPendingApprovals.ts';
import type { GrantScope } from './planGrantScope.ts';

/** What becomes of a question in a turn that nobody follows: it waits for a person, however long, or is denied. */
export type UnattendedAnswer = 'review' | 'deny';

/** What is asked about a call. */
export interface ApprovalQuestion {
  /** Final: what is approved is their hash. */
  readonly params: Params;
  readonly asks: readonly [ApprovalAsk, ...ApprovalAsk[]];
  readonly edits: readonly FileEdit[];
  /** What it does, where that is one thing in one place. */
  readonly kind?: CallKind;
  /** Its commands and connections, to be shown whole; default none. */
  readonly effects?: readonly (ExecuteEffect | NetworkEffect)[];
  /** What an "always" would cover; undefined offers none. */
  readonly grantScope: GrantScope | undefined;
  /** There where nobody follows the turn: silence is never a yes then. Default: somebody does. */
  readonly unattended?: UnattendedAnswer;
  /** Who asks, where that is not the agent of the chat. */
  readonly who?: string;
  /** Called when the request is put to a person; not called where grants or the limits answered it. */
  readonly onAsked?: (request: ApprovalRequest) => void;
}

export interface ApprovalOutcome {
  readonly request: ApprovalRequest;
  readonly resolution: ApprovalResolution;
  /** False where grants or the limits answered, so that no surface ever showed it. */
  readonly isAsked: boolean;
  /** True where the call may run now. A timeout allows only where every asker wants that and the user's config permits it. */
  readonly allowed: boolean;
  readonly by: AnsweredBy;
  /** What a person allowed beside the call. */
  readonly wider?: WiderScope;
  /** There where a person's one yes answered several questions. */
  readonly together?: BatchAnswer;
  /** What of the edits was refused though the call may run. */
  readonly rejected: RejectedHunks;
  /** One short sentence for the model and the log. */
  readonly reason: string;
}

export interface ApprovalRecord extends ApprovalOutcome {
  readonly resolvedAt: number;
}

export interface ApprovalLimits extends ModeState {
  /** False where no person can answer, such as a CLI without a terminal. Remembered grants still count. */
  readonly canAsk: boolean;
  /** True where somebody may come who can, such as a client of the gateway: what nobody follows waits for them as a review. */
  readonly canWait?: boolean;
  /** True where the user's own config lets an unanswered question mean yes. */
  readonly timeoutMayAllow: boolean;
  /** How long a question waits, at most 600 000; undefined where the user's config does not say it. */
  readonly timeoutMs?: number | undefined;
}

/** What is left of the time of a question. */
export interface TimeLeft {
  readonly ms: number;
  /** False while nobody has the window before them. */
  readonly isRunning: boolean;
}

export type ResolveResult =
  | { readonly ok: true; readonly request: ApprovalRequest }
  | { readonly ok: false; readonly error: PincerError };

/** What an answer says beside yes or no. */
export interface AnswerDetails {
  /** Why not, or what to do instead: the record keeps it, and the model reads it in the result of the call. Of a no alone. */
  readonly words?: string | undefined;
  /** Takes back a part of the edits that are allowed. */
  readonly rejected?: RejectedHunks;
  /** One that the request offers, beside `allow-once`. */
  readonly wider?: WiderScope;
  /** The same yes answers other questions, each by a call of its own. */
  readonly together?: BatchAnswer | undefined;
  /** Which other questions that wait `wider` or an "always" may answer, too; default all that it covers. */
  readonly mayJoin?: (request: ApprovalRequest) => boolean;
}

/** Where all of a call can stand before the user: in the answer of the chat, in the Chat view, in an editor of its own, as a diff, in the terminal, at a client of the gateway. */
export type ShownPlace = 'answer' | 'page' | 'call' | 'diff' | 'terminal' | 'remote';

/** To whom the user said something: to the agent that asks, to the one that started it, or to one that waits for its answer. */
export type WordsTo = 'own' | 'starter' | 'waiting';

/** Holds the questions that wait for a person. Every surface shows `pending()` and answers through `resolve`. */
export interface ApprovalBroker extends Disposable {
  /**
   * Never rejects. Tells every asker's `onResolution` the outcome exactly once. An "always" holds for the tenant of the call's turn
   * alone.
   */
  request(call: ToolCall, question: ApprovalQuestion): Promise<ApprovalOutcome>;
  /**
   * The first answer counts. `by`: where a person gave it; an answer from anywhere else counts for nothing. A yes by a click on something that appeared less than
   * half a second ago does not count, nor does a yes to what was not shown whole.
   */
  resolve(
    idOrUniquePrefix: string,
    decision: ApprovalDecision,
    by: Surface,
    details?: AnswerDetails,
  ): ResolveResult;
  /** Whether a yes by a click there would meet a question that appeared less than half a second ago. */
  isTooSoon(id: string, by: Surface): boolean;
  /**
   * The whole call stood before the user: from now on a yes that is given there counts. With `call`, and with `diff` where the call
   * does no more than change files, one that is given anywhere.
   */
  noteShownWhole(id: string, where: ShownPlace): void;
  /** Takes back for every call that waits that it was shown whole there: what was on screen may have been cut. */
  forgetShownWhole(where: ShownPlace): void;
  /** The rows of the Approvals view are being drawn where others stood: for half a second no click there is a yes. */
  noteDrawn(): void;
  /** Whether the call hides and cuts nothing, or was shown whole there. */
  isShownWhole(id: string, by: Surface): boolean;
  /** Whether it waits and all of it was shown in this place, however short it is. */
  wasShown(id: string, where: ShownPlace): boolean;
  /** Until it ends unanswered, by the shorter of the times that it has; undefined where it does not wait. */
  timeLeft(id: string): TimeLeft | undefined;
  /** Denies what waits of a session: the user has said something instead, to this agent or another one. */
  answerInWords(sessionId: string, to: WordsTo): void;
  /** Tells askers whose question will never be put, since their call ended before, that it is cancelled. */
  withdraw(asks: readonly ApprovalAsk[]): void;
  /** Oldest first. */
  pending(): readonly ApprovalRequest[];
  /** What was decided lately, oldest first, without a question asked too. */
  history(): readonly ApprovalRecord[];
  /** What holds now for new questions. */
  limits(): ApprovalLimits;
  /** Writes the mode into the user's config; what limits it still does. @throws PincerError `approval_mode_fixed`, `config_syntax` */
  setMode(mode: ApprovalMode): Promise<void>;
  /** Questions that were open when their window ended, oldest first. They can only be asked again or dismissed. */
  interrupted(): Promise<readonly InterruptedApproval[]>;
  /** Takes an interrupted question off the list. @throws PincerError `approval_already_resolved` */
  dismissInterrupted(id: string): Promise<void>;
  readonly onDidChange: Event<void>;
}
