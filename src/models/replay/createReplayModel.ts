import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import { PincerError, errorMessage } from '../../base/errors.ts';
import type { TokenUsage, AgentMessage, ImagePart, TextPart } from '../../contracts/message.ts';
import type { Model, ModelEvent, ModelRequest } from '../../contracts/model.ts';
import type { Clock } from '../../host/ports.ts';
import { replayTurnSchema, type ReplayTurn } from './replayTurn.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine, truncate, plural } from '../../base/text.ts';

interface ReplayModelOptions {
  /** The text of the file; `replayTurn.ts` describes it. */
  readonly script: string;
  /** The file as errors show it. */
  readonly name: string;
  /** Waits the `delayMs` of a turn. */
  readonly clock: Clock;
}

/**
 * A model that answers from a script: the first request gets its first turn, and so on, whatever is asked. Fails loudly:
 * `replay_mismatch` where a request is not what the turn expects, `replay_exhausted` after the last turn.
 *
 * @throws PincerError `replay_invalid` for a script that can not be played.
 */
export function createReplayModel({ script, name, clock }: ReplayModelOptions): Model {
  const turns = parseReplayScript(script, name);
  let played = 0;
  return {
    info: {
      provider: 'replay',
      model: name,
      name: `Replay of ${name}`,
      detail: 'Plays a script; no AI',
      contextWindow: 128_000,
      maxOutputTokens: 16_000,
      toolCalling: true,
    },
    async *stream(request) {
      throwIfAborted(request.signal);
      const turn = turns[played];
      if (turn === undefined) throw exhaustedScript(name, turns.length);
      played += 1;
      const problem = checkExpectations(turn, request);
      if (problem !== undefined) throw mismatchedScript(name, turn.line, problem);
      yield* play(turn, request, clock);
    },
  };
}

async function* play(turn: ReplayTurn, request: ModelRequest, clock: Clock): AsyncGenerator<ModelEvent> {
  const { error } = turn;
  for (const event of toEvents(turn)) {
    await pause(turn.delayMs ?? 0, request.signal, clock);
    if (event.type !== 'done' || error === undefined) yield event;
  }
  if (error === undefined) return;
  throw new PincerError(error.code, error.message, error.hint === undefined ? {} : { hint: error.hint });
}

function toEvents(turn: ReplayTurn): ModelEvent[] {
  const chunks = typeof turn.text === 'string' ? [turn.text] : (turn.text ?? []);
  const calls = turn.toolCalls ?? [];
  return [
    ...toThoughts(turn).flatMap(toThoughtEvents),
    ...chunks.map((text) => ({ type: 'text' as const, text })),
    ...calls.map((call, index) => ({
      type: 'toolCall' as const,
      id: call.id ?? `call_${turn.line}_${index + 1}`,
      name: call.name,
      arguments: call.arguments,
      ...(call.thoughtSignature !== undefined && { thoughtSignature: call.thoughtSignature }),
    })),
    {
      type: 'done',
      stopReason: turn.stopReason ?? (calls.length > 0 ? 'toolUse' : 'stop'),
      ...(turn.usage === undefined ? {} : { usage: toUsage(turn.usage) }),
    },
  ];
}

type Thought = Exclude<NonNullable<ReplayTurn['thinking']>, string>[number];

function toThoughts({ thinking = [] }: ReplayTurn): readonly Thought[] {
  return typeof thinking === 'string' ? [{ text: thinking }] : thinking;
}

function toThoughtEvents({ text, signature, redacted }: Thought): ModelEvent[] {
  return [
    ...(text === '' ? [] : [{ type: 'thinking' as const, text }]),
    {
      type: 'thinkingEnd',
      ...(signature !== undefined && { signature }),
      ...(redacted !== undefined && { redacted }),
    },
  ];
}

function toUsage({ input, output, cacheRead, cacheWrite }: NonNullable<ReplayTurn['usage']>): TokenUsage {
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

async function pause(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  throwIfAborted(signal);
  if (ms === 0) return;
  let cancelTimer = (): void => undefined;
  const waited = new Promise<void>((resolve) => {
    cancelTimer = clock.after(ms, resolve);
  });
  await raceAbort(waited, signal).finally(() => cancelTimer());
}

/**
 * The turns of a replay script; `name` is the file as errors show it.
 *
 * @throws PincerError `replay_invalid` with file and line for a broken line, an unknown key or a file without turns.
 */
function parseReplayScript(script: string, name: string): readonly ReplayTurn[] {
  const turns = script
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .flatMap((text, index) => (text.trim() === '' ? [] : [parseTurn(text, name, index + 1)]));
  if (turns.length === 0) throw emptyScript(name);
  return turns;
}

function parseTurn(text: string, name: string, line: number): ReplayTurn {
  const parsed = replayTurnSchema.safeParse(parseLine(text, name, line));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.length === 0 ? '' : `${issue.path.join('.')}: `}${issue.message}`,
    );
    throw invalidScript(name, line, inertLine(problems.join('; '), 400));
  }
  return { ...parsed.data, line };
}

function parseLine(text: string, name: string, line: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidScript(name, line, `This is no JSON: ${inertLine(errorMessage(error), 200)}`);
  }
  if (!isRecord(value)) throw invalidScript(name, line, 'A turn is a JSON object.');
  return value;
}

/** What the request lacks of a turn's `expect`, as a sentence; undefined where it has everything. */
function checkExpectations(turn: ReplayTurn, request: ModelRequest): string | undefined {
  const { userText, toolResult, tools } = turn.expect ?? {};
  if (userText !== undefined) {
    const said = textOf(request.messages.findLast((message) => message.role === 'user')?.content);
    if (!said.includes(userText)) return lacks('The last user message', userText, said);
  }
  if (toolResult !== undefined) {
    const results = lastResults(request.messages).map((message) => textOf(message.content));
    if (!results.some((text) => text.includes(toolResult))) {
      return lacks('A tool result since the last answer', toolResult, results.join('\n'));
    }
  }
  const missing = tools?.filter((name) => request.tools.every((tool) => tool.name !== name)) ?? [];
  if (missing.length === 0) return undefined;
  const offered = request.tools.map((tool) => tool.name).join(', ');
  return `These tools are not offered: ${missing.join(', ')}. Offered: ${offered === '' ? 'none' : offered}.`;
}

function lastResults(messages: readonly AgentMessage[]) {
  const lastAnswer = messages.findLastIndex((message) => message.role === 'assistant');
  return messages.slice(lastAnswer + 1).filter((message) => message.role === 'toolResult');
}

function textOf(parts: readonly (TextPart | ImagePart)[] = []): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function lacks(what: string, wanted: string, actual: string): string {
  const is = actual === '' ? 'there is none' : `it is ${JSON.stringify(truncate(actual, 200))}`;
  return `${what} should have the text ${JSON.stringify(wanted)}; ${is}.`;
}

const seeDocs = 'docs/replay.md describes the format.';

/** A line that can not be played. */
function invalidScript(name: string, line: number, problem: string): PincerError {
  return new PincerError('replay_invalid', `${name}:${line}: ${problem}`, { hint: seeDocs });
}

/** A file without a single turn. */
function emptyScript(name: string): PincerError {
  return new PincerError('replay_invalid', `${name} has no turns to replay.`, { hint: seeDocs });
}

/** The run asked for more answers than the script has. */
function exhaustedScript(name: string, turns: number): PincerError {
  return new PincerError(
    'replay_exhausted',
    `${name} has ${plural(turns, 'turn')}, and all have been played; the run asked for another.`,
    { hint: 'Add a line to the script, or find out why the run goes on.' },
  );
}

/** The request is not what the script expects. */
function mismatchedScript(name: string, line: number, problem: string): PincerError {
  return new PincerError('replay_mismatch', `${name}:${line}: ${problem}`, {
    hint: 'Either the run or the “expect” of that line is wrong.',
  });
}
