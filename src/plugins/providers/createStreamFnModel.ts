import { raceAbort } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { Model, ModelEvent, ModelInfo, ModelRequest } from '../../contracts/model.ts';
import type { Clock } from '../../host/ports.ts';
import { aborted } from '../../models/library/modelErrors.ts';
import { modelFailure } from '../../models/modelFailure.ts';
import { toStreamContext } from './toStreamContext.ts';
import { randomUUID } from 'node:crypto';
import type { StopReason, TokenUsage } from '../../contracts/message.ts';

const noEvent: ReadEvent = { events: [] };

/** What a plugin's `createStreamFn` gives: it asks a model and yields what it says. */
export type StreamFn = (model: object, context: object, options: object) => unknown;

interface StreamFnModelParts {
  readonly info: ModelInfo;
  readonly pluginId: string;
  /** The model as upstream's stream functions know it. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Asked before each answer. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly streamFn: StreamFn;
  readonly clock: Clock;
  /** Takes the secrets of the plugin's settings out of a text. */
  readonly redact: (text: string) => string;
  /** Silence after which an answer is given up, in milliseconds; default two minutes. */
  readonly idleMs?: number;
}

const defaultIdleMs = 120_000;

/**
 * A model that a plugin's code asks (upstream's `createStreamFn`). Threat: the code may throw, hang, ignore the abort or
 * yield anything; each wait is bounded, each event is checked, and the texts of its errors are made inert.
 */
export function createStreamFnModel(parts: StreamFnModelParts): Model {
  return { info: parts.info, stream: (request) => streamAnswer(parts, request) };
}

async function* streamAnswer(parts: StreamFnModelParts, request: ModelRequest): AsyncGenerator<ModelEvent> {
  if (request.signal.aborted) throw aborted();
  const apiKey = await parts.apiKey();
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const events = await open(parts, request, { apiKey, signal });
  const reader = events[Symbol.asyncIterator]();
  let hasContent = false;
  try {
    for (;;) {
      const next = await within(parts, request.signal, async () => await reader.next());
      if (next.done === true) throw malformed(parts, 'ended its answer without an end');
      if (isRecord(next.value)) request.onRaw?.(`${describe(next.value)}\n`);
      const { events: read, problem } = readStreamEvent(next.value, hasContent);
      if (problem !== undefined) throw failed(parts, problem);
      for (const event of read) {
        hasContent = true;
        yield event;
      }
      if (read.at(-1)?.type === 'done') return;
    }
  } finally {
    stop.abort();
    // Its end is nobody's business any more; a rejection must not reach the process.
    void Promise.resolve(reader.return?.()).then(undefined, () => undefined);
  }
}

async function open(
  parts: StreamFnModelParts,
  request: ModelRequest,
  { apiKey, signal }: { readonly apiKey: string | undefined; readonly signal: AbortSignal },
): Promise<AsyncIterable<unknown>> {
  const { temperature, maxTokens, thinking } = request.settings ?? {};
  const options = {
    signal,
    maxTokens: maxTokens ?? parts.info.maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(thinking === undefined || thinking === 'off' ? {} : { reasoning: thinking }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(request.sessionId === undefined ? {} : { sessionId: request.sessionId }),
  };
  const model = { ...parts.given, ...modelFields(parts.info) };
  const stream = await within(parts, request.signal, async () =>
    Promise.resolve(parts.streamFn(model, toStreamContext(request), options)),
  );
  const isStream = typeof stream === 'object' && stream !== null && Symbol.asyncIterator in stream;
  if (!isStream) throw malformed(parts, 'gave no stream');
  return stream as AsyncIterable<unknown>;
}

/** Upstream's names of what we know of a model. */
export function modelFields(info: ModelInfo): object {
  return {
    id: info.model,
    name: info.name,
    provider: info.provider,
    reasoning: info.thinking === true,
    input: info.imageInput === true ? ['text', 'image'] : ['text'],
    contextWindow: info.contextWindow,
    maxTokens: info.maxOutputTokens,
  };
}

/** One wait for the plugin's code: ends with the signal, with the silence, or with an error that names the plugin. */
async function within<T>(parts: StreamFnModelParts, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const { idleMs = defaultIdleMs } = parts;
  const limited = new Promise<T>((resolve, reject) => {
    const stopTimer = parts.clock.after(idleMs, () => reject(timedOut(parts, idleMs)));
    work().then(resolve, reject).finally(stopTimer);
  });
  try {
    return await raceAbort(limited, signal);
  } catch (error) {
    if (signal.aborted) throw aborted();
    throw error instanceof PincerError ? error : failed(parts, errorMessage(error));
  }
}

function describe(value: Record<string, unknown>): string {
  // What it holds so far comes with every event; the raw stream is what is new.
  const { partial: _partial, ...rest } = value;
  return JSON.stringify(rest);
}

const nextStep = 'Try again, or choose another model.';

function failed({ info, pluginId, redact }: StreamFnModelParts, why: string): PincerError {
  const message = `${info.name} of plugin ${pluginId} failed: ${inertLine(redact(why), 300)}`;
  return modelFailure('model_unavailable', message, { hint: nextStep });
}

function malformed({ info, pluginId }: StreamFnModelParts, what: string): PincerError {
  return modelFailure('model_malformed', `${info.name} of plugin ${pluginId} ${what}.`, { hint: nextStep });
}

function timedOut({ info, pluginId }: StreamFnModelParts, idleMs: number): PincerError {
  const message = `${info.name} of plugin ${pluginId} was silent for ${String(idleMs / 1_000)} s.`;
  return modelFailure('model_timeout', message, { hint: nextStep });
}

interface ReadEvent {
  readonly events: readonly ModelEvent[];
  /** The stream says that it failed, or what it yields makes no sense. */
  readonly problem?: string;
}

/**
 * One event of a plugin's stream in the shape of upstream's agent library (`text_delta`, `thinking_delta`, `toolcall_end`,
 * `done`, `error` …). Where nothing came before `done`, its message is the answer: not every function streams.
 */
function readStreamEvent(value: unknown, hasContent: boolean): ReadEvent {
  if (!isRecord(value)) return { events: [], problem: 'it yields something that is no event' };
  switch (value['type']) {
    case 'text_delta':
      return textOf('text', value['delta']);
    case 'thinking_delta':
      return textOf('thinking', value['delta']);
    case 'thinking_end':
      return { events: [thinkingEnd(value)] };
    case 'toolcall_end':
      return toolCallOf(value['toolCall']);
    case 'done':
      return doneOf(value, hasContent);
    case 'error':
      return { events: [], problem: errorOf(value['error']) };
    // Starts, and deltas of tool calls whose end has all of it; newer kinds are none of ours.
    default:
      return noEvent;
  }
}

function textOf(type: 'text' | 'thinking', text: unknown): ReadEvent {
  return typeof text === 'string' && text !== '' ? { events: [{ type, text }] } : noEvent;
}

/** The signature of a thought stands in what the answer holds so far. */
function thinkingEnd({ partial, contentIndex }: Record<string, unknown>): ModelEvent {
  const content =
    isRecord(partial) && Array.isArray(partial['content']) ? (partial['content'] as unknown[]) : [];
  const part = typeof contentIndex === 'number' ? content[contentIndex] : undefined;
  const { thinkingSignature, redacted } = isRecord(part) ? part : {};
  return {
    type: 'thinkingEnd',
    ...(typeof thinkingSignature === 'string' ? { signature: thinkingSignature } : {}),
    ...(redacted === true ? { redacted } : {}),
  };
}

function toolCallOf(call: unknown): ReadEvent {
  const { id, name, arguments: given, thoughtSignature, problem } = isRecord(call) ? call : {};
  if (typeof name !== 'string' || name === '')
    return { events: [], problem: 'it asks for a tool without naming it' };
  if (given !== undefined && !isRecord(given))
    return { events: [], problem: `its arguments for ${name} are no object` };
  return {
    events: [
      {
        type: 'toolCall',
        id: typeof id === 'string' && id !== '' ? id : `call_${randomUUID()}`,
        name,
        arguments: given ?? {},
        ...(typeof problem === 'string' ? { problem } : {}),
        ...(typeof thoughtSignature === 'string' ? { thoughtSignature } : {}),
      },
    ],
  };
}

function doneOf({ reason, message }: Record<string, unknown>, hasContent: boolean): ReadEvent {
  const whole = isRecord(message) ? message : {};
  const parts = !hasContent && Array.isArray(whole['content']) ? (whole['content'] as unknown[]) : [];
  const read = parts.map(partOf);
  const problem = read.find((each) => each.problem !== undefined)?.problem;
  if (problem !== undefined) return { events: [], problem };
  const usage = usageOf(whole['usage']);
  const { responseId: requestId } = whole;
  const stopReason: StopReason = reason === 'toolUse' || reason === 'length' ? reason : 'stop';
  return {
    events: [
      ...read.flatMap(({ events }) => events),
      {
        ...{ type: 'done', stopReason },
        ...(usage === undefined ? {} : { usage }),
        ...(typeof requestId === 'string' ? { requestId } : {}),
      },
    ],
  };
}

function partOf(part: unknown): ReadEvent {
  if (!isRecord(part)) return noEvent;
  if (part['type'] === 'text') return textOf('text', part['text']);
  return part['type'] === 'toolCall' ? toolCallOf(part) : noEvent;
}

/** Upstream counts what the cache had apart from the input; here it is part of it. */
function usageOf(usage: unknown): TokenUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const count = (field: string): number => {
    const value = usage[field];
    return typeof value === 'number' && value > 0 ? value : 0;
  };
  const [input, output, cacheRead, cacheWrite] = [
    count('input'),
    count('output'),
    count('cacheRead'),
    count('cacheWrite'),
  ];
  if (input + output + cacheRead + cacheWrite === 0) return undefined;
  return { input: input + cacheRead + cacheWrite, output, cacheRead, cacheWrite };
}

function errorOf(error: unknown): string {
  const said = isRecord(error) ? (error['errorMessage'] ?? error['message']) : error;
  return typeof said === 'string' && said !== '' ? said : 'it gave no reason';
}
