import type { Reviews } from './createReviews.ts';
import type { ReviewPart, ReviewState } from './createReviewState.ts';

/** A request, one of its files, or one hunk of that; `more` is the note under a file with too many. */
export interface ReviewRow extends ReviewPart {
  readonly approvalId: string;
  readonly more?: true;
}

/** The rows of the Review view. VS Code knows a row by its object: a part has the same one as long as its request waits. */
interface ReviewRows {
  /** The requests; the files where there is only one. */
  top(): readonly ReviewRow[];
  under(row: ReviewRow): readonly ReviewRow[];
}

/** Hunks of one file with a row of their own. */
export const maxRows = 200;

export function createReviewRows(reviews: Pick<Reviews, 'pending' | 'find'>): ReviewRows {
  const known = new WeakMap<ReviewState, Map<string, ReviewRow>>();
  const rowOf = (review: ReviewState, part: Omit<ReviewRow, 'approvalId'>): ReviewRow => {
    const rows = known.get(review) ?? new Map<string, ReviewRow>();
    known.set(review, rows);
    const key = `${String(part.file)}/${String(part.hunk)}`;
    const row = rows.get(key) ?? { approvalId: review.request.id, ...part };
    rows.set(key, row);
    return row;
  };
  const filesOf = (review: ReviewState): readonly ReviewRow[] =>
    [...review.files.keys()].map((file) => rowOf(review, { file }));

  return {
    top() {
      const pending = reviews.pending();
      const [only, ...others] = pending;
      return only !== undefined && others.length === 0
        ? filesOf(only)
        : pending.map((review) => rowOf(review, {}));
    },
    under({ approvalId, file, hunk }) {
      const review = reviews.find(approvalId);
      if (review === undefined || hunk !== undefined) return [];
      if (file === undefined) return filesOf(review);
      const count = review.files[file]?.hunks.length ?? 0;
      if (count < 2) return [];
      const rows = [...Array(Math.min(count, maxRows)).keys()].map((each) =>
        rowOf(review, { file, hunk: each }),
      );
      return count > maxRows ? [...rows, rowOf(review, { file, hunk: maxRows, more: true })] : rows;
    },
  };
}
