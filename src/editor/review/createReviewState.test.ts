import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { FileEdit } from '../../contracts/tool.ts';
import { choicesOf, createReviewState, planAnswer, type ReviewState } from './createReviewState.ts';
import { createReviewOf } from './createReviewOf.ts';

const edit = (label: string, before: string | null, after: string | null): FileEdit => ({
  path: `/w/${label}`,
  label,
  before,
  after,
});

/** Two hunks, one hunk, a new file. */
const edits = [
  edit('log.md', 'a\nb\nc\n', 'A\nb\nC\n'),
  edit('list.md', 'x\n', 'y\n'),
  edit('new.md', null, 'n\n'),
];

const requestWith = (more: readonly FileEdit[]): ApprovalRequest =>
  ({ id: 'r', edits: more }) as unknown as ApprovalRequest;

const open = (): ReviewState => createReviewState(requestWith(edits));

describe('a review', () => {
  it('begins with everything accepted', () => {
    const review = open();
    expect(review.countOf()).toEqual({ accepted: 4, total: 4 });
    expect(planAnswer(review, 'allow-once')).toEqual({ decision: 'allow-once', rejected: new Map() });
  });

  it('tells for each file whether all, some or none of it is accepted', () => {
    const review = open();
    review.choose(false, { file: 0, hunk: 1 });
    review.choose(false, { file: 2 });
    expect(edits.map((_, file) => review.choiceOf({ file }))).toEqual(['partial', 'accepted', 'rejected']);
    expect(review.choiceOf({ file: 0, hunk: 1 })).toBe('rejected');
    expect(review.choiceOf()).toBe('partial');
    expect(review.countOf({ file: 0 })).toEqual({ accepted: 1, total: 2 });
  });

  it('answers with exactly the hunks that were rejected', () => {
    const review = open();
    review.choose(false, { file: 0, hunk: 1 });
    review.choose(false, { file: 2 });
    expect(planAnswer(review, 'allow-always')).toEqual({
      decision: 'allow-always',
      rejected: new Map([
        [0, new Set([1])],
        [2, new Set([0])],
      ]),
    });
  });

  it('tells a button that was drawn for other choices, be they as many', () => {
    const review = open();
    review.choose(false, { file: 0, hunk: 1 });
    const drawn = choicesOf(review);
    review.choose(true);
    expect(choicesOf(review)).not.toBe(drawn);
    review.choose(false, { file: 1 });
    expect(choicesOf(review)).not.toBe(drawn);
    review.choose(true, { file: 1 });
    review.choose(false, { file: 0, hunk: 1 });
    expect(choicesOf(review)).toBe(drawn);
  });

  it('takes a choice back', () => {
    const review = open();
    review.choose(false);
    review.choose(true, { file: 1 });
    review.choose(true, { file: 0, hunk: 0 });
    review.choose(false, { file: 1, hunk: 0 });
    review.choose(true, { file: 1 });
    expect(review.countOf()).toEqual({ accepted: 2, total: 4 });
  });

  it('is a no where everything was rejected, and a no rejects nothing in particular', () => {
    const review = open();
    review.choose(false);
    expect(planAnswer(review, 'allow-once')).toEqual({ decision: 'deny', rejected: new Map() });
    review.choose(true, { file: 1 });
    expect(planAnswer(review, 'deny')).toEqual({ decision: 'deny', rejected: new Map() });
  });

  it('ignores files and hunks that are not there', () => {
    const review = open();
    review.choose(false, { file: 7 });
    review.choose(false, { file: 0, hunk: 7 });
    expect(review.choiceOf()).toBe('accepted');
  });

  it('tells of every choice, and of a file that changed meanwhile once', () => {
    const review = open();
    let told = 0;
    review.onDidChange(() => (told += 1));
    review.choose(false, { file: 0 });
    review.setStale(1, true);
    review.setStale(1, true);
    expect(told).toBe(2);
    expect([0, 1].map((file) => review.isStale(file))).toEqual([false, true]);
    review.setStale(1, false);
    expect(review.isStale(1)).toBe(false);
  });
});

it('is the same for everyone who asks for a request, and another for another request', () => {
  const reviewOf = createReviewOf();
  const request = requestWith(edits);
  reviewOf(request).choose(false);
  expect(reviewOf(request).choiceOf()).toBe('rejected');
  expect(reviewOf(requestWith(edits)).choiceOf()).toBe('accepted');
});
