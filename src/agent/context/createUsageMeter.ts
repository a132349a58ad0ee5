import type { AgentMessage, AssistantMessage } from '../../contracts/message.ts';
import type { ModelCost, ModelInfo, ModelRef } from '../../contracts/model.ts';
import type { CompactionEntry } from '../../contracts/session.ts';
import type { SessionUse, UsageSum } from '../../contracts/usage.ts';
import type { Session } from '../../sessions/session.ts';
import { correctEstimate, isWholeCount, type CountedRequest } from './correctEstimate.ts';
import { estimateMessage } from './estimateMessages.ts';
import { findContext, type KnownContext } from './findContext.ts';
import { isBuiltIn } from './isBuiltIn.ts';
import { addUsage, noUsage, sumUsage, usedForSummary, type UsedTokens } from './sumUsage.ts';

export interface UsageMeterDeps {
  readonly session: Session;
  readonly sizeOf: (message: AgentMessage) => number;
  readonly costOf: (model: ModelRef) => ModelCost | undefined;
}

/** Estimated tokens of a request. */
interface Sizes {
  /** System prompt and tools. */
  readonly fixed: number;
  readonly total: number;
}

/** Counts what a session uses: what its transcript says at first, then each answer as it comes. */
export interface UsageMeter {
  beginTurn(): void;
  noteAnswer(model: ModelInfo, request: Sizes, answer: AssistantMessage): void;
  noteCompaction(entry: CompactionEntry): void;
  /** An estimate corrected by what the server of this model counted last. */
  estimate(model: ModelRef, estimated: number): number;
  /** Estimated tokens of system prompt and tools of the last request; 0 before the first. */
  fixed(): number;
  use(model: ModelInfo, compactAt: number): SessionUse;
}

export function createUsageMeter({ session, sizeOf, costOf }: UsageMeterDeps): UsageMeter {
  let sums = readSums(session, costOf, sizeOf);
  let context: KnownContext | undefined;
  let last: (CountedRequest & { readonly model: string }) | undefined;
  let fixed = 0;

  const estimate = (model: ModelRef, estimated: number): number =>
    correctEstimate(estimated, last?.model === nameOf(model) ? last : undefined);
  const add = (used: UsedTokens, isOfTurn: boolean): void => {
    const { session: all, turn = noUsage } = sums;
    sums = { session: addUsage(all, used), turn: isOfTurn ? addUsage(turn, used) : sums.turn };
  };

  return {
    beginTurn() {
      sums = { ...sums, turn: noUsage };
    },
    noteAnswer(model, request, answer) {
      fixed = request.fixed;
      const { usage } = answer;
      if (usage === undefined && isEmptyFailure(answer)) return;
      // Another model may have answered than the one that was asked.
      const input = estimate(answer, request.total);
      const output = estimateMessage(answer);
      const cost = nameOf(model) === nameOf(answer) ? model.cost : costOf(answer);
      const used = { usage: usage ?? { input, output }, isEstimated: usage === undefined, cost };
      if (!isBuiltIn(answer)) add(used, true);
      if (usage !== undefined && isWholeCount(usage.input, request.total)) {
        last = { counted: usage.input, estimated: request.total, model: nameOf(answer) };
        context = { tokens: usage.input + usage.output, isEstimated: false };
      } else context = { tokens: input + output, isEstimated: true };
    },
    noteCompaction(entry) {
      if (!isBuiltIn(entry.model)) add(usedForSummary(entry, costOf), entry.by === 'auto');
      context = { tokens: estimate(entry.model, fixed + entry.tokensAfter), isEstimated: true };
    },
    estimate,
    fixed: () => fixed,
    use(model, compactAt) {
      const { tokens, isEstimated } = context ?? findContext(session.entries(), sizeOf);
      return { context: { tokens, window: model.contextWindow, compactAt, isEstimated }, ...sums };
    },
  };
}

interface Sums {
  readonly session: UsageSum;
  /** Undefined before the first turn. */
  readonly turn: UsageSum | undefined;
}

function readSums(
  session: Session,
  costOf: UsageMeterDeps['costOf'],
  sizeOf: UsageMeterDeps['sizeOf'],
): Sums {
  const entries = session.entries();
  const start = entries.findLastIndex((entry) => entry.type === 'turn' && entry.state === 'started');
  return {
    session: sumUsage(entries, costOf, sizeOf),
    turn: start === -1 ? undefined : sumUsage(entries.slice(start), costOf, sizeOf),
  };
}

/** Nothing arrived, so nothing was used that anybody knows of. */
function isEmptyFailure({ stopReason, content }: AssistantMessage): boolean {
  return (stopReason === 'error' || stopReason === 'aborted') && content.length === 0;
}

function nameOf({ provider, model }: ModelRef): string {
  return `${provider}/${model}`;
}
