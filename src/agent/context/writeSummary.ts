import { PincerError } from '../../base/errors.ts';
import type { AgentMessage, TokenUsage } from '../../contracts/message.ts';
import type { Model } from '../../contracts/model.ts';
import { askForText, type AskedText } from './askForText.ts';
import { estimateTokens } from './estimateTokens.ts';
import { packChunks } from './packChunks.ts';
import { renderMessage } from './renderMessages.ts';
import { shorten } from './shorten.ts';
import { summaryRequest, summarySystemPrompt } from './summaryPrompt.ts';

export interface SummaryInput {
  readonly model: Model;
  readonly messages: readonly AgentMessage[];
  /** The summary of what came before them. */
  readonly previous: string | undefined;
  readonly instructions: string | undefined;
  /** Of the summary. */
  readonly maxTokens: number;
  readonly redact: (text: string) => string;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export interface WrittenSummary {
  readonly text: string;
  /** Of all calls; undefined where a server did not count. */
  readonly usage: TokenUsage | undefined;
}

/** Less room than this for the conversation itself and no sensible summary comes out. */
const minChunkTokens = 300;
/** Windows below this are not halved any more. */
const minWindow = 2_000;

/**
 * Has the model write the summary. What exceeds its window is given in chunks, the summary so far with each; a server that
 * turns out to read less than its window is asked with half.
 * @throws PincerError `summary_empty`, `summary_too_long`, `model_context_overflow`, `cancelled`, and what the model throws
 */
export async function writeSummary(input: SummaryInput): Promise<WrittenSummary> {
  for (let window = input.model.info.contextWindow; ; window = Math.floor(window / 2)) {
    try {
      return await writeWithin(input, window);
    } catch (error) {
      const isTooLong = error instanceof PincerError && error.code === 'model_context_overflow';
      if (!isTooLong || window / 2 < minWindow) throw error;
    }
  }
}

async function writeWithin(input: SummaryInput, window: number): Promise<WrittenSummary> {
  const { previous, instructions = '', maxTokens } = input;
  const fixed =
    estimateTokens(summarySystemPrompt) +
    estimateTokens(instructions) +
    Math.max(maxTokens, estimateTokens(previous ?? '')) +
    200;
  const room = Math.floor((window - fixed - maxTokens) * 0.85);
  if (room < minChunkTokens) throw windowTooSmall(input.model, window);
  // In the densest texts a token is two characters.
  const rendered = input.messages.map((each) => shorten(renderMessage(each, input.redact), room * 2));
  const asked: AskedText[] = [];
  for (const chunk of packChunks(rendered, room, estimateTokens)) {
    asked.push(await askOnce(input, asked.at(-1)?.text ?? previous, chunk));
  }
  return { text: asked.at(-1)?.text ?? '', usage: sumOf(asked.map((each) => each.usage)) };
}

async function askOnce(
  input: SummaryInput,
  before: string | undefined,
  messages: readonly string[],
): Promise<AskedText> {
  const { model, maxTokens, instructions, signal } = input;
  const mark = crypto.randomUUID();
  const text = summaryRequest({ mark, before, messages, instructions, maxTokens });
  const request = {
    systemPrompt: summarySystemPrompt,
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text }], timestamp: input.now() }],
    tools: [],
    settings: { maxTokens: Math.min(maxTokens, model.info.maxOutputTokens), thinking: 'off' as const },
    signal,
  };
  const answer = await askForText(model, request, maxTokens * 12);
  const written = input.redact(answer.text.trim());
  if (written === '') {
    throw new PincerError('summary_empty', `${model.info.name} wrote no summary.`, {
      hint: 'Try /compact again, or choose another model for summaries: agent.compaction.model.',
    });
  }
  return { text: written, usage: answer.usage };
}

function sumOf(usages: readonly (TokenUsage | undefined)[]): TokenUsage | undefined {
  let sum: Required<TokenUsage> = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for (const usage of usages) {
    if (usage === undefined) return undefined;
    sum = {
      input: sum.input + usage.input,
      output: sum.output + usage.output,
      cacheRead: sum.cacheRead + (usage.cacheRead ?? 0),
      cacheWrite: sum.cacheWrite + (usage.cacheWrite ?? 0),
    };
  }
  return sum;
}

function windowTooSmall({ info }: Model, window: number): PincerError {
  return new PincerError(
    'model_context_overflow',
    `${info.name} reads ${String(window)} tokens at once: too few to write a summary.`,
    { hint: 'Choose another model for summaries: agent.compaction.model.' },
  );
}
