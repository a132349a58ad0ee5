import { beforeEach, describe, expect, it } from 'vitest';
import { questionOf } from '../../../test/builders/callContexts.ts';
import type { ApprovalOutcome } from '../../approvals/approvalBroker.ts';
import { createApprovalBroker } from '../../approvals/createApprovalBroker.ts';
import type { GrantStore } from '../../approvals/createGrantStore.ts';
import type { ApprovalRequest, CallKind } from '../../contracts/approval.ts';
import type { FileEdit } from '../../contracts/tool.ts';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createManualClock, type ManualClock } from '../../../test/builders/manualClock.ts';
import { answerWithTicks } from './answerWithTicks.ts';
import { createReviewOf } from './createReviewOf.ts';
import { createReviews } from './createReviews.ts';

const log: FileEdit = { path: '/w/log.md', label: 'log.md', before: 'a\nb\nc\n', after: 'A\nb\nC\n' };
/** No question is about an "always" here. */
const grants = {} as GrantStore;

const reviewOf = createReviewOf();

let broker: ReturnType<typeof createApprovalBroker>;
let clock: ManualClock;
beforeEach(() => {
  const limits = { mode: 'ask', canAsk: true, timeoutMayAllow: false } as const;
  clock = createManualClock(0);
  broker = createApprovalBroker({
    clock,
    log: createInMemoryLog(),
    grants,
    limits: () => limits,
  });
});

async function ask(
  edits: readonly FileEdit[],
  kind?: CallKind,
): Promise<{ id: string; outcome: Promise<ApprovalOutcome> }> {
  return await new Promise((resolve) => {
    const outcome = broker.request(
      ...questionOf({
        toolName: 'edit',
        params: {},
        asks: [{ asker: 'host', title: 'Write', description: '', severity: 'warning' }],
        edits,
        ...(kind === undefined ? {} : { kind }),
        grantScope: undefined,
        onAsked: ({ id }) => queueMicrotask(() => resolve({ id, outcome })),
      }),
    );
  });
}

describe('the reviews', () => {
  it('are those of the requests with edits, from when they wait until they are answered', async () => {
    const reviews = createReviews(reviewOf);
    const told: string[] = [];
    reviews.onDidOpen(({ request }) => told.push(`open ${request.id}`));
    reviews.onDidClose(({ request }) => told.push(`close ${request.id}`));
    const { id, outcome } = await ask([log]);
    reviews.follow(broker);
    const without = await ask([]);
    const other = await ask([log]);
    expect(reviews.pending().map(({ request }) => request.id)).toEqual([id, other.id]);
    expect(reviews.find(without.id)).toBeUndefined();

    broker.resolve(id, 'deny', 'chat');
    await outcome;
    expect(told).toEqual([`open ${id}`, `open ${other.id}`, `close ${id}`]);
    expect(reviews.find(id)).toBeUndefined();
  });

  it('tell of every tick while they wait', async () => {
    const reviews = createReviews(reviewOf);
    reviews.follow(broker);
    const { id } = await ask([log]);
    let told = 0;
    reviews.onDidChange(() => (told += 1));
    reviews.find(id)?.choose(false, { file: 0, hunk: 0 });
    expect(told).toBe(1);
  });
});

describe('an answer from any surface', () => {
  it('takes what is ticked and no more', async () => {
    const reviews = createReviews(reviewOf);
    reviews.follow(broker);
    const { id, outcome } = await ask([log]);
    reviews.find(id)?.choose(false, { file: 0, hunk: 1 });
    broker.noteShownWhole(id, 'diff');
    clock.advance(500);
    expect(
      answerWithTicks(reviewOf, broker, id.slice(0, 8), { decision: 'allow-once', by: 'review' }).ok,
    ).toBe(true);
    expect(await outcome).toMatchObject({ allowed: true, rejected: new Map([[0, new Set([1])]]) });
  });

  it('leaves others of which hunks were rejected, whatever it covers', async () => {
    const kind = { does: 'edit', root: '/w' } as const;
    const [first, second, third] = [await ask([log], kind), await ask([log], kind), await ask([log], kind)];
    const isOf = (id: string) => (request: ApprovalRequest) => request.id === id;
    const partly = broker.pending().find(isOf(second.id));
    if (partly !== undefined) reviewOf(partly).choose(false, { file: 0, hunk: 1 });
    broker.noteShownWhole(first.id, 'diff');
    clock.advance(500);
    answerWithTicks(reviewOf, broker, first.id, { decision: 'allow-once', by: 'review', wider: 'turn' });
    expect(await third.outcome).toMatchObject({ allowed: true, by: 'turn' });
    expect(broker.pending().map(({ id }) => id)).toEqual([second.id]);
  });

  it('is a no where nothing is ticked', async () => {
    const reviews = createReviews(reviewOf);
    reviews.follow(broker);
    const { id, outcome } = await ask([log]);
    reviews.find(id)?.choose(false);
    answerWithTicks(reviewOf, broker, id, { decision: 'allow-once', by: 'review' });
    expect(await outcome).toMatchObject({ allowed: false, resolution: 'deny' });
  });

  it('goes for a call without edits as it is', async () => {
    const { id, outcome } = await ask([]);
    answerWithTicks(reviewOf, broker, id, { decision: 'allow-once', by: 'chat' });
    expect(await outcome).toMatchObject({ allowed: true, rejected: new Map() });
  });

  it('is refused without a request, or with a name that fits several', async () => {
    const { id } = await ask([log]);
    for (const wrong of ['', 'nobody', `${id}x`])
      expect(answerWithTicks(reviewOf, broker, wrong, { decision: 'allow-once', by: 'chat' }).ok).toBe(false);
    expect(broker.pending()).toHaveLength(1);
  });
});
