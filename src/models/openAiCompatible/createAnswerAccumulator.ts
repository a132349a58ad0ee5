import { isRecord, parseJson } from '../../base/json.ts';
import type { Params } from '../../contracts/json.ts';
import type { StopReason, TokenUsage } from '../../contracts/message.ts';
import type { ModelEvent } from '../../contracts/model.ts';
import { createToolCallAssembler, type AssembledCall } from './createToolCallAssembler.ts';
import { filtered, malformed } from './errors.ts';
import type { ModelServer } from './modelServer.ts';
import { reportedError } from './statusError.ts';

/** Turns the chunks of one answer into events. Holds no text: what `push` gives back is gone from here. */
export interface AnswerAccumulator {
  /**
   * One parsed chunk of the stream, or the whole answer of a server that does not stream. Gives the text in it.
   *
   * @throws PincerError when the server reports an error in the chunk, or the chunk is no object.
   */
  push(chunk: unknown): readonly ModelEvent[];
  /**
   * The answer is over: its tool calls, complete and parsed, and `done`. `marked` says that the server sent its end mark.
   *
   * @throws PincerError `model_malformed` when the end is missing or a tool call can't be read.
   */
  end(marked: boolean): readonly ModelEvent[];
}

export interface AnswerAccumulatorOptions {
  readonly server: ModelServer;
  /** An id for a tool call that came without one; unique in the conversation. */
  readonly newId: () => string;
}

export function createAnswerAccumulator({ server, newId }: AnswerAccumulatorOptions): AnswerAccumulator {
  const toolCalls = createToolCallAssembler();
  let finishReason: string | undefined;
  let usage: TokenUsage | undefined;

  return {
    push(chunk) {
      if (!isRecord(chunk)) throw malformed(server, 'sent a chunk that is no object', shown(server, chunk));
      if (chunk['error'] != null) throw reportedError(server, chunk['error']);
      usage = readUsage(chunk['usage']) ?? usage;
      const choice: unknown = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined;
      if (!isRecord(choice)) return [];
      if (typeof choice['finish_reason'] === 'string') finishReason = choice['finish_reason'];
      const delta = choice['delta'] ?? choice['message'];
      if (!isRecord(delta)) return [];
      const fragments: unknown = delta['tool_calls'];
      if (Array.isArray(fragments)) for (const fragment of fragments) toolCalls.push(fragment);
      const text = readText(delta['content']);
      return text === '' ? [] : [{ type: 'text', text }];
    },
    end(marked) {
      const calls = toolCalls.calls();
      if (finishReason === undefined && !marked) {
        const where = calls.length > 0 ? 'a tool call' : 'its answer';
        throw malformed(
          server,
          `stopped in the middle of ${where}`,
          shown(server, calls.at(-1)?.argumentsText),
        );
      }
      if (finishReason === 'content_filter') throw filtered(server);
      const events = toCallEvents(calls, { server, newId }, finishReason === 'length');
      return [
        ...events,
        { type: 'done', stopReason: stopReason(finishReason, events.length), ...(usage && { usage }) },
      ];
    },
  };
}

/** Servers end an answer that has tool calls with `stop` as often as with `tool_calls`: the calls decide. */
function stopReason(finishReason: string | undefined, calls: number): StopReason {
  if (calls > 0) return 'toolUse';
  return finishReason === 'length' ? 'length' : 'stop';
}

function toCallEvents(
  calls: readonly AssembledCall[],
  { server, newId }: AnswerAccumulatorOptions,
  cutByLength: boolean,
): ModelEvent[] {
  const used = new Set<string>();
  return calls.map((call) => {
    if (call.name === '')
      throw malformed(server, 'asked for a tool without naming it', shown(server, call.argumentsText));
    const params = readArguments(call.argumentsText);
    if (params === undefined) {
      const what = cutByLength
        ? `reached its output limit in the middle of a call of ${server.quote(call.name)}`
        : `wrote arguments for ${server.quote(call.name)} that are no JSON object`;
      throw malformed(server, what, shown(server, call.argumentsText));
    }
    const id = call.id === '' || used.has(call.id) ? newId() : call.id;
    used.add(id);
    return { type: 'toolCall', id, name: call.name, arguments: params };
  });
}

/** Nothing at all stands for no arguments; a few models encode the object twice. */
function readArguments(text: string): Params | undefined {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  if (value === null) return {};
  const inner = typeof value === 'string' ? parseJson(value) : value;
  return isRecord(inner) ? inner : undefined;
}

/** `content` is a string, or, from some servers, a list of parts. */
function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

function readUsage(usage: unknown): TokenUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return typeof input === 'number' && typeof output === 'number' ? { input, output } : undefined;
}

function shown(server: ModelServer, value: unknown): string {
  if (value === undefined) return '';
  return server.quote(typeof value === 'string' ? value : JSON.stringify(value));
}
