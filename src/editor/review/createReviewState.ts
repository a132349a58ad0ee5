import { createEmitter, type Emitter, type Event } from '../../base/event.ts';
import { findHunks, type Hunk } from '../../approvals/hunks.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../contracts/approval.ts';
import type { FileEdit, RejectedHunks } from '../../contracts/tool.ts';

/** One file of a request as it is reviewed. */
export interface ReviewFile {
  readonly edit: FileEdit;
  readonly hunks: readonly Hunk[];
}

/** A file or request of which some hunks are rejected is `partial`. */
type ReviewChoice = 'accepted' | 'rejected' | 'partial';

/** A whole request, one of its files, or one hunk of that; numbers count from 0. */
export interface ReviewPart {
  readonly file?: number;
  readonly hunk?: number;
}

interface HunkCount {
  readonly accepted: number;
  readonly total: number;
}

/** What a person has ticked of one request's edits so far. Everything is accepted until it is rejected. */
export interface ReviewState {
  readonly request: ApprovalRequest;
  readonly files: readonly ReviewFile[];
  choose(isAccepted: boolean, part?: ReviewPart): void;
  choiceOf(part?: ReviewPart): ReviewChoice;
  countOf(part?: ReviewPart): HunkCount;
  /** True where the file on disk or in its editor is no longer what the edit was made for: accepting it will be refused. */
  isStale(file: number): boolean;
  setStale(file: number, isStale: boolean): void;
  /** Fires when a choice or a file's staleness changed. */
  readonly onDidChange: Event<void>;
}

/** A review with nothing rejected. */
export function createReviewState(request: ApprovalRequest): ReviewState {
  const files = request.edits.map((edit): ReviewFile => ({ edit, hunks: findHunks(edit) }));
  const rejected = files.map(() => new Set<number>());
  const stale = new Set<number>();
  const changed: Emitter<void> = createEmitter();

  const filesOf = ({ file }: ReviewPart): readonly number[] =>
    file === undefined ? [...files.keys()] : file in files ? [file] : [];
  const hunksOf = (file: number, { hunk }: ReviewPart): readonly number[] => {
    const all = files[file]?.hunks ?? [];
    if (hunk === undefined) return [...all.keys()];
    return hunk in all ? [hunk] : [];
  };

  const countOf = (part: ReviewPart = {}): HunkCount => {
    let [accepted, total] = [0, 0];
    for (const file of filesOf(part)) {
      const hunks = hunksOf(file, part);
      total += hunks.length;
      accepted += hunks.filter((hunk) => rejected[file]?.has(hunk) === false).length;
    }
    return { accepted, total };
  };

  return {
    request,
    files,
    choose(isAccepted, part = {}) {
      for (const file of filesOf(part)) {
        for (const hunk of hunksOf(file, part)) {
          if (isAccepted) rejected[file]?.delete(hunk);
          else rejected[file]?.add(hunk);
        }
      }
      changed.fire();
    },
    choiceOf(part) {
      const { accepted, total } = countOf(part);
      if (accepted === total) return 'accepted';
      return accepted === 0 ? 'rejected' : 'partial';
    },
    countOf,
    isStale: (file) => stale.has(file),
    setStale(file, isStale) {
      if (stale.has(file) === isStale) return;
      if (isStale) stale.add(file);
      else stale.delete(file);
      changed.fire();
    },
    onDidChange: changed.event,
  };
}

/** What the broker is told. */
interface ReviewAnswer {
  readonly decision: ApprovalDecision;
  readonly rejected: RejectedHunks;
}

/** The answer that a yes to what is ticked comes to: where nothing is ticked it is a no. Pure. */
export function planAnswer(review: ReviewState, decision: ApprovalDecision): ReviewAnswer {
  if (decision === 'deny' || review.choiceOf() === 'rejected')
    return { decision: 'deny', rejected: new Map() };
  const rejected = new Map<number, ReadonlySet<number>>();
  for (const [file, { hunks }] of review.files.entries()) {
    const refused = [...hunks.keys()].filter((hunk) => review.choiceOf({ file, hunk }) === 'rejected');
    if (refused.length > 0) rejected.set(file, new Set(refused));
  }
  return { decision, rejected };
}

/** The choices as one text: what was drawn for others than those of now is out of date. Pure. */
export function choicesOf(review: ReviewState): string {
  const { decision, rejected } = planAnswer(review, 'allow-once');
  return [decision, ...[...rejected].map(([file, hunks]) => `${file}:${[...hunks].join()}`)].join(' ');
}
