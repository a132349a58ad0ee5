import { cancelledError, raceAbort, throwIfAborted } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { AgentMessage, TokenUsage } from '../../contracts/message.ts';
import type { Model, ModelFailure, ModelInfo } from '../../contracts/model.ts';
import type { CompactionEntry } from '../../contracts/sessionEntry.ts';
import type { Clock } from '../../host/ports.ts';
import type { Session } from '../../sessions/session.ts';
import type { CompactionSignals } from './compactionSignals.ts';
import { composeSummary, writtenPart, extractSummary, listCallActivity } from './composeSummary.ts';
import { estimateMessages, estimateTokens } from './estimateTokens.ts';
import { isBuiltIn } from '../../models/builtIn/builtInModelInfo.ts';
import { ownText } from './ownText.ts';
import type { ContextBudget } from './planBudget.ts';
import { planCompaction, type CompactionCut } from './planCompaction.ts';
import {
  maxSummaryLength,
  writeSummary,
  type SummaryProvider,
  type SummaryRequestToProvider,
} from './writeSummary.ts';

/** How an attempt to compact ended. `nothing` says why there was nothing to shorten; `failed` has changed nothing. */
export type CompactionResult =
  | { readonly status: 'compacted'; readonly entry: CompactionEntry }
  | { readonly status: 'nothing'; readonly reason: string }
  | { readonly status: 'failed'; readonly because: ModelFailure };

/** Milliseconds that hooks and the model have together; a provider has as long for itself before them. */
const timeoutMs = 60_000;
/** Less than this is not worth a summary. */
const minCompactedTokens = 100;

export interface CompactSessionDeps {
  readonly session: Session;
  readonly clock: Clock;
  readonly signals: CompactionSignals;
  readonly sizeOf: (message: AgentMessage) => number;
  readonly redact: (text: string) => string;
  /** Asked before the model; undefined where the config names none that is there. */
  readonly provider: SummaryProvider | undefined;
  /** The provider failed, and the model is asked. */
  readonly onProviderFailed: (error: unknown) => void;
  /** The summary as plugins left it; rejects where one stops it. */
  readonly judge: ((text: string, model: ModelInfo, signal: AbortSignal) => Promise<string>) | undefined;
}

export interface CompactSessionInput {
  /** Writes the summary; the built-in model can't, and an extract takes its place. */
  readonly model: Model;
  readonly budget: ContextBudget;
  readonly by: CompactionEntry['by'];
  readonly runId: string | undefined;
  readonly instructions: string | undefined;
  readonly signal: AbortSignal;
  /** Something will be shortened now. */
  readonly onStart: () => void;
}

/**
 * One attempt: plans the cut, has the summary written and stores it as one more line. Nothing is stored unless all of it went
 * well. @throws PincerError `cancelled` only
 */
export async function compactSession(
  deps: CompactSessionDeps,
  input: CompactSessionInput,
): Promise<CompactionResult> {
  const { session, clock, sizeOf } = deps;
  const entries = session.entries();
  const plan = planCompaction({ entries, budget: input.budget, sizeOf });
  if (plan.status === 'nothing') return plan;
  const replaced = estimateMessages(plan.compacted, sizeOf) + estimateTokens(plan.previous?.summary ?? '');
  if (replaced < minCompactedTokens)
    return { status: 'nothing', reason: 'There is too little before the latest messages to shorten.' };

  const limit = new AbortController();
  const totalMs = deps.provider === undefined ? timeoutMs : timeoutMs * 2;
  const stopTimer = clock.after(totalMs, () => limit.abort());
  input.onStart();
  try {
    const length = entries.length;
    const signal = AbortSignal.any([input.signal, limit.signal]);
    const draft = await raceAbort(draftSummary(deps, input, plan, replaced, signal), signal);
    const kept = plan.firstKeptId ?? firstMessageFrom(session, length);
    const entry = await session.compact({
      ...draft,
      firstKeptId: kept,
      by: input.by,
      model: { provider: input.model.info.provider, model: input.model.info.model },
      compactedCount: plan.compacted.length + (plan.previous?.compactedCount ?? 0),
      timestamp: clock.now(),
    });
    deps.signals.after(
      { runId: input.runId, model: input.model.info },
      { compactedCount: plan.compacted.length, tokenCount: entry.tokensAfter },
    );
    return { status: 'compacted', entry };
  } catch (error) {
    if (input.signal.aborted) throw cancelledError();
    return {
      status: 'failed',
      because: limit.signal.aborted ? tooSlow(input.model, totalMs) : toFailure(error),
    };
  } finally {
    stopTimer();
  }
}

type Draft = Pick<CompactionEntry, 'summary' | 'tokensBefore' | 'tokensAfter' | 'touched' | 'usage'>;

async function draftSummary(
  deps: CompactSessionDeps,
  input: CompactSessionInput,
  plan: CompactionCut,
  replaced: number,
  signal: AbortSignal,
): Promise<Draft> {
  const { redact, signals } = deps;
  const { budget, model } = input;
  const quoted = plan.request.reduce((sum, message) => sum + estimateTokens(ownText(message)), 0);
  if (quoted > budget.maxKeepTokens) throw requestTooLong(model);
  const tokensBefore = replaced + plan.keptTokens;
  const told = { compactingCount: plan.compacted.length, tokenCount: tokensBefore };
  await signals.before({ runId: input.runId, model: model.info }, told, signal);

  const { text: written, usage } = await writeText(deps, input, plan, replaced, signal);
  const text = (await deps.judge?.(written, model.info, signal)) ?? written;
  if (estimateTokens(text) > replaced) throw summaryTooLong(model);
  const touched = listCallActivity(plan.compacted, plan.previous?.touched);
  const summary = composeSummary({
    text,
    request: plan.request,
    touched,
    openResults: plan.openResults,
    maxResultLength: budget.maxKeepTokens,
    redact,
  });
  const tokensAfter = estimateTokens(summary) + plan.keptTokens;
  if (tokensAfter >= tokensBefore) throw summaryTooLong(model);
  return { summary, touched, tokensBefore, tokensAfter, ...(usage === undefined ? {} : { usage }) };
}

async function writeText(
  deps: CompactSessionDeps,
  { model, instructions, budget }: CompactSessionInput,
  plan: CompactionCut,
  replaced: number,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly usage: TokenUsage | undefined }> {
  const { session, clock, redact } = deps;
  const previous = plan.previous === undefined ? undefined : writtenPart(plan.previous.summary);
  const given = { messages: plan.compacted, previous, instructions, signal };
  const maxLength = maxSummaryLength(budget.summaryTokens);
  const fits = (text: string): boolean => text.length <= maxLength && estimateTokens(text) < replaced;
  const provided = await askProvider(deps, { ...given, fits, timeoutMs });
  if (provided !== undefined) return { text: provided, usage: { input: 0, output: 0 } };
  if (isBuiltIn(model.info)) {
    const text = extractSummary(session.entries(), plan.firstKeptId, redact);
    return { text, usage: undefined };
  }
  return await writeSummary({
    ...given,
    model,
    maxTokens: budget.summaryTokens,
    redact,
    now: () => clock.now(),
  });
}

/** Undefined where there is none, or it failed. @throws PincerError `cancelled` */
async function askProvider(
  { provider, onProviderFailed }: CompactSessionDeps,
  request: SummaryRequestToProvider,
): Promise<string | undefined> {
  try {
    return await provider?.summarize(request);
  } catch (error) {
    throwIfAborted(request.signal);
    onProviderFailed(error);
    return undefined;
  }
}

/** A message that came while the summary was written stays, also where nothing of the old ones does. */
function firstMessageFrom(session: Session, index: number): string | null {
  return (
    session
      .entries()
      .slice(index)
      .find((entry) => entry.type === 'message')?.id ?? null
  );
}

function toFailure(error: unknown): ModelFailure {
  const code = error instanceof PincerError ? error.code : 'compaction_failed';
  return { code, message: errorMessage(error) };
}

function tooSlow({ info }: Model, ms: number): ModelFailure {
  return {
    code: 'model_timeout',
    message: `${info.name} did not write the summary within ${String(ms / 1_000)} s.`,
  };
}

function summaryTooLong({ info }: Model): PincerError {
  return new PincerError(
    'summary_too_long',
    `${info.name} wrote a summary that is longer than what it stands for.`,
  );
}

function requestTooLong({ info }: Model): PincerError {
  return new PincerError(
    'model_context_overflow',
    `Your message is too long for ${info.name}, which reads ${String(info.contextWindow)} tokens at once. Send it in parts, or choose a model with a larger window.`,
  );
}
