import { errorMessage } from '../../base/errors.ts';
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Params } from '../../contracts/jsonTypes.ts';
import type { StopReason, TokenUsage } from '../../contracts/message.ts';
import type { ModelEvent } from '../../contracts/model.ts';
import { malformed, refused, type ModelServer } from './modelErrors.ts';

type Finish = Extract<LanguageModelV4StreamPart, { readonly type: 'finish' }>;
type Call = Extract<LanguageModelV4StreamPart, { readonly type: 'tool-call' }>;

/** Turns what a library reads of one answer into events. Holds no text but thoughts' signatures and unfinished calls. */
interface PartReader {
  /** The events in one part. From the first tool call on they are held back until the answer is complete. */
  push(part: LanguageModelV4StreamPart): readonly ModelEvent[];
  /**
   * The answer is over: what was held back, and `done`. `isMarked` says that the server sent its end mark, so that a missing
   * finish reason is no fault.
   *
   * @throws PincerError `model_malformed` where the end is missing or the output limit cut a tool call, `model_refused`.
   */
  finish(part: Finish | undefined, isMarked: boolean): readonly ModelEvent[];
}

interface PartReaderOptions {
  readonly server: ModelServer;
  /** Ids of the calls in the conversation so far. */
  readonly usedIds: Iterable<string>;
  /** An id for a tool call whose own is taken or missing; unique in the conversation. */
  readonly newId: () => string;
}

/** A call of a broken answer must not run, so calls wait for the end, and what comes after them keeps its place. */
export function createPartReader({ server, usedIds, newId }: PartReaderOptions): PartReader {
  const used = new Set(usedIds);
  const held: (ModelEvent | Call)[] = [];
  const signatures = new Map<string, { signature?: string; redacted?: boolean }>();
  const inOrder = (events: ModelEvent[]): readonly ModelEvent[] => {
    if (held.length === 0) return events;
    held.push(...events);
    return [];
  };

  const toCall = (call: Call, wasCut: boolean): ModelEvent => {
    const name = call.toolName.trim();
    if (name === '') throw malformed(server, 'asked for a tool without naming it', server.quote(call.input));
    const params = readArguments(call.input);
    if (params === undefined && wasCut) {
      const what = `reached its output limit in the middle of a call of ${server.quote(name)}`;
      throw malformed(server, what, server.quote(call.input));
    }
    const id = call.toolCallId === '' || used.has(call.toolCallId) ? newId() : call.toolCallId;
    used.add(id);
    const signature = find(call.providerMetadata, 'thoughtSignature');
    return {
      type: 'toolCall',
      id,
      name,
      arguments: params ?? {},
      ...(params === undefined ? { problem: whyUnreadable(call.input) } : {}),
      ...(signature && { thoughtSignature: signature }),
    };
  };

  return {
    push(part) {
      switch (part.type) {
        case 'text-delta':
          return part.delta === '' ? [] : inOrder([{ type: 'text', text: part.delta }]);
        case 'reasoning-start':
        case 'reasoning-delta': {
          const signature = { ...signatures.get(part.id), ...signatureOf(part.providerMetadata) };
          signatures.set(part.id, signature);
          const text = part.type === 'reasoning-delta' ? part.delta : '';
          return text === '' ? [] : inOrder([{ type: 'thinking', text }]);
        }
        case 'reasoning-end': {
          const signature = { ...signatures.get(part.id), ...signatureOf(part.providerMetadata) };
          signatures.delete(part.id);
          return inOrder([{ type: 'thinkingEnd', ...signature }]);
        }
        case 'tool-call':
          // The server ran it itself; we offer no such tools.
          if (part.providerExecuted !== true) held.push(part);
          return [];
        default:
          return [];
      }
    },
    finish(part, isMarked) {
      const reason = part?.finishReason ?? { unified: 'interrupted', raw: undefined };
      checkReason(reason, isMarked, held, server);
      const wasCut = reason.unified === 'length';
      const events = held.map((each) => (each.type === 'tool-call' ? toCall(each, wasCut) : each));
      const stopReason = stopReasonOf(reason, events);
      const usage = part && toUsage(part.usage);
      return [...events, { type: 'done', stopReason, ...(usage && { usage }) }];
    },
  };
}

function checkReason(
  { unified, raw }: LanguageModelV4FinishReason,
  isMarked: boolean,
  held: readonly (ModelEvent | Call)[],
  server: ModelServer,
): void {
  if (unified === 'content-filter') throw refused(server, server.quote(raw ?? ''));
  if (unified !== 'interrupted' && unified !== 'error') return;
  if (raw !== undefined) throw malformed(server, `ended its answer with ${server.quote(raw)}`);
  if (isMarked) return;
  const call = held.findLast((each) => each.type === 'tool-call');
  const where = call === undefined ? 'its answer' : 'a tool call';
  throw malformed(server, `stopped in the middle of ${where}`, server.quote(call?.input ?? ''));
}

/** Servers end an answer that has tool calls with `stop` as often as with `tool_calls`: the calls decide. */
function stopReasonOf({ unified }: LanguageModelV4FinishReason, events: readonly ModelEvent[]): StopReason {
  if (events.some((event) => event.type === 'toolCall')) return 'toolUse';
  return unified === 'length' ? 'length' : 'stop';
}

/** What the model needs to know to write the call again. */
function whyUnreadable(text: string): string {
  try {
    JSON.parse(text);
    return 'they are JSON, but no object';
  } catch (error) {
    return errorMessage(error);
  }
}

/** Nothing at all stands for no arguments; a few models encode the object twice. */
function readArguments(text: string): Params | undefined {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  const params = typeof value === 'string' ? parseJson(value) : value;
  if (params === null) return {};
  return isRecord(params) ? params : undefined;
}

function signatureOf(metadata: SharedV4ProviderMetadata | undefined): {
  signature?: string;
  redacted?: boolean;
} {
  const hidden = find(metadata, 'redactedData');
  if (hidden !== undefined) return { signature: hidden, redacted: true };
  const signature = find(metadata, 'signature') ?? find(metadata, 'thoughtSignature');
  return signature === undefined ? {} : { signature };
}

/** A field of the first provider that has it: a library names them after itself, or after what it was told to be. */
function find(metadata: SharedV4ProviderMetadata | undefined, field: string): string | undefined {
  for (const each of Object.values(metadata ?? {})) {
    const value = each[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Undefined where the server counted nothing. */
function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage | undefined {
  const input = inputTokens.total ?? 0;
  const output = outputTokens.total ?? 0;
  if (input === 0 && output === 0) return undefined;
  const { cacheRead = 0, cacheWrite = 0 } = inputTokens;
  return { input, output, ...(cacheRead > 0 && { cacheRead }), ...(cacheWrite > 0 && { cacheWrite }) };
}
