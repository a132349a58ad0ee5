import { isDeepStrictEqual } from 'node:util';
import type { AgentMessage, AssistantMessage } from '../../contracts/message.ts';
import type { ModelCost, ModelInfo, ModelRef } from '../../contracts/model.ts';
import type { CompactionEntry, SessionEntry } from '../../contracts/sessionEntry.ts';
import type { SessionUse, UsageSum } from '../../contracts/usage.ts';
import type { Session } from '../../sessions/session.ts';
import { correctEstimate, isWholeCount, type CountedRequest } from './correctEstimate.ts';
import { estimateMessage } from './estimateTokens.ts';
import { isBuiltIn } from '../../models/builtIn/builtInModelInfo.ts';
import { addUsage, noUsage, sumUsage, usedForSummary, type UsedTokens } from './sumUsage.ts';

interface UsageMeterDeps {
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
interface UsageMeter {
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
  const entriesAtFirst = session.entries().length;
  /** What came since; an `undefined` begins a turn. */
  const noted: (
    { readonly model: ModelRef; readonly used: UsedTokens; readonly isOfTurn: boolean } | undefined
  )[] = [];
  let prices = createPrices(costOf);
  let sums = readSums(session.entries(), prices.of, sizeOf);
  let context: KnownContext | undefined;
  let last: (CountedRequest & { readonly model: string }) | undefined;
  let fixed = 0;

  const estimate = (model: ModelRef, estimated: number): number =>
    correctEstimate(estimated, last?.model === nameOf(model) ? last : undefined);
  const add = (model: ModelRef, used: UsedTokens, isOfTurn: boolean): void => {
    noted.push({ model, used, isOfTurn });
    sums = addCall(sums, used, isOfTurn);
  };
  const countAgain = (): void => {
    prices = createPrices(costOf);
    sums = readSums(session.entries().slice(0, entriesAtFirst), prices.of, sizeOf);
    for (const call of noted) {
      if (call === undefined) sums = { ...sums, turn: noUsage };
      else sums = addCall(sums, { ...call.used, cost: prices.of(call.model) }, call.isOfTurn);
    }
  };

  return {
    beginTurn() {
      noted.push(undefined);
      sums = { ...sums, turn: noUsage };
    },
    noteAnswer(model, request, answer) {
      fixed = request.fixed;
      const { usage } = answer;
      if (usage === undefined && isEmptyFailure(answer)) return;
      // Another model may have answered than the one that was asked.
      const input = estimate(answer, request.total);
      const output = estimateMessage(answer);
      const known = prices.of(answer);
      const cost = nameOf(model) === nameOf(answer) ? model.cost : known;
      const used = { usage: usage ?? { input, output }, isEstimated: usage === undefined, cost };
      if (!isBuiltIn(answer)) add(answer, used, true);
      if (usage !== undefined && isWholeCount(usage.input, request.total)) {
        last = { counted: usage.input, estimated: request.total, model: nameOf(answer) };
        context = { tokens: usage.input + usage.output, isEstimated: false };
      } else context = { tokens: input + output, isEstimated: true };
    },
    noteCompaction(entry) {
      if (!isBuiltIn(entry.model)) {
        add(entry.model, usedForSummary(entry, prices.of), entry.by === 'auto');
      }
      context = { tokens: estimate(entry.model, fixed + entry.tokensAfter), isEstimated: true };
    },
    estimate,
    fixed: () => fixed,
    use(model, compactAt) {
      if (prices.haveChanged()) countAgain();
      const { tokens, isEstimated } = context ?? findContext(session.entries(), sizeOf);
      return { context: { tokens, window: model.contextWindow, compactAt, isEstimated }, ...sums };
    },
  };
}

/** What models cost when they were first asked about: a price that was entered since holds for the turns before it, too. */
function createPrices(costOf: UsageMeterDeps['costOf']) {
  const seen = new Map<string, { readonly ref: ModelRef; readonly cost: ModelCost | undefined }>();
  return {
    of: (ref: ModelRef): ModelCost | undefined => {
      const cost = costOf(ref);
      if (!seen.has(nameOf(ref))) seen.set(nameOf(ref), { ref, cost });
      return cost;
    },
    haveChanged: () => [...seen.values()].some(({ ref, cost }) => !isDeepStrictEqual(cost, costOf(ref))),
  };
}

interface Sums {
  readonly session: UsageSum;
  /** Undefined before the first turn. */
  readonly turn: UsageSum | undefined;
}

function addCall({ session, turn }: Sums, used: UsedTokens, isOfTurn: boolean): Sums {
  return { session: addUsage(session, used), turn: isOfTurn ? addUsage(turn ?? noUsage, used) : turn };
}

function readSums(
  entries: readonly SessionEntry[],
  costOf: UsageMeterDeps['costOf'],
  sizeOf: UsageMeterDeps['sizeOf'],
): Sums {
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

/** How much of a window is used, and whether a server said so. */
interface KnownContext {
  readonly tokens: number;
  readonly isEstimated: boolean;
}

/**
 * What a transcript says of the window's use: the server's count for the last answer and an estimate of what came after it;
 * where there is none since the last compaction, an estimate of the conversation alone. Pure.
 */
function findContext(
  entries: readonly SessionEntry[],
  sizeOf: (message: AgentMessage) => number,
): KnownContext {
  let tokens = 0;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.type === 'compaction') return { tokens: tokens + entry.tokensAfter, isEstimated: true };
    if (entry?.type !== 'message') continue;
    const { message } = entry;
    if (message.role === 'assistant' && message.usage !== undefined) {
      const { input, output } = message.usage;
      return { tokens: tokens + input + output, isEstimated: tokens > 0 };
    }
    tokens += sizeOf(message);
  }
  return { tokens, isEstimated: true };
}
