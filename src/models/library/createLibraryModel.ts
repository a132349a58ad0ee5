import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import { randomUUID } from 'node:crypto';
import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { Model, ModelEvent, ModelInfo, ModelRequest, ThinkingLevel } from '../../contracts/model.ts';
import type { Clock, HttpClient } from '../../host/ports.ts';
import { createModelFetch, type ModelFetch } from './createModelFetch.ts';
import { createPartReader } from './createPartReader.ts';
import { aborted, type ModelApi, type ModelServer } from './modelErrors.ts';
import { isUnknownEvent, libraryError } from './libraryError.ts';
import { planModelAddress } from './planModelAddress.ts';
import {
  defaultTimeouts,
  openModelConnection,
  thinkingTimeouts,
  type ModelTimeouts,
} from './openModelConnection.ts';
import type * as Protocols from './protocols.ts';
import { toPrompt } from './toPrompt.ts';
import type { PromptTarget } from './toAnswerParts.ts';

/** Anthropic keeps what lies before such a mark for five minutes; a request may have four. */
const cached = { anthropic: { cacheControl: { type: 'ephemeral' as const } } };

const efforts: Readonly<Record<ThinkingLevel, NonNullable<LanguageModelV4CallOptions['reasoning']>>> = {
  off: 'none',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
};

export interface LibraryModelOptions {
  readonly api: ModelApi;
  readonly info: ModelInfo;
  /** Up to and including the version: `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** Asked before each request, so that a new key counts at once. Undefined where the server needs none. */
  readonly apiKey?: () => Promise<string | undefined>;
  /** Sent with each request, and as secret as the key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly timeouts?: Partial<ModelTimeouts>;
}

/**
 * A model behind one of the three wire protocols. The AI SDK's provider packages write the requests and read the streams;
 * the transport is ours: key, time limits, sizes, what counts as an answer, and every error. Asks once: retries are for
 * whoever wraps it (`retryAfterOf` of modelFailure.ts).
 */
export function createLibraryModel(options: LibraryModelOptions): Model {
  const kept: ModelState = { compat: createOpenAiCompat(options.baseUrl), idle: [] };
  return { info: options.info, stream: (request) => stream(options, kept, request) };
}

/** What one request leaves for the next. */
interface ModelState {
  readonly compat: OpenAiCompat;
  /** Loaded with the first request. */
  protocols?: typeof Protocols;
  /** Those that send nothing now. */
  readonly idle: Sender[];
}

/** A library's model, for one request after the other: to make one takes longer than to send with it, since it compiles its schemas. */
interface Sender {
  readonly model: LanguageModelV4;
  /** Whose request it sends. */
  exchange: { readonly http: ModelFetch; readonly sessionId: string | undefined };
}

type Parts = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;

async function* stream(
  options: LibraryModelOptions,
  kept: ModelState,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  try {
    throwIfAborted(request.signal);
    yield* exchange(options, kept, request);
  } catch (error) {
    throw request.signal.aborted ? aborted() : error;
  }
}

async function* exchange(
  options: LibraryModelOptions,
  kept: ModelState,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const { signal } = request;
  const address = planModelAddress({
    api: options.api,
    baseUrl: options.baseUrl,
    model: options.info.model,
    apiKey: await options.apiKey?.(),
    headers: options.headers ?? {},
  });
  const { server } = address;
  const connection = openModelConnection({
    server,
    http: options.http,
    clock: options.clock,
    timeouts: {
      ...(options.info.thinking === true ? thinkingTimeouts : defaultTimeouts),
      ...options.timeouts,
    },
    signal,
    onRaw: request.onRaw,
  });
  const http = createModelFetch({
    address,
    connection,
    clock: options.clock,
    ...(request.rewriteBody === undefined ? {} : { rewriteBody: request.rewriteBody }),
  });
  let parts: Parts | undefined;
  try {
    parts = await raceAbort(ask(options, kept, request, server, http), signal);
    yield* readParts(parts, request, server, http);
    await http.finish();
  } catch (error) {
    throw libraryError(server, error);
  } finally {
    connection.close();
    // How the stream ends was told already, well or badly.
    parts?.cancel().catch(() => undefined);
  }
}

/** Sends the request, and again where an OpenAI-compatible server teaches us to write it otherwise. */
async function ask(
  options: LibraryModelOptions,
  kept: ModelState,
  request: ModelRequest,
  server: ModelServer,
  http: ModelFetch,
): Promise<Parts> {
  // Not imported each time: that asks for the file again.
  kept.protocols ??= await import('./protocols.ts');
  const exchange = { http, sessionId: request.sessionId };
  const sender = kept.idle.pop() ?? createSender(kept.protocols, options, kept.compat, server, exchange);
  sender.exchange = exchange;
  const call: LanguageModelV4CallOptions = toCallOptions(request, options);
  try {
    for (;;) {
      try {
        return (await sender.model.doStream(call)).stream.getReader();
      } catch (error) {
        const refusal = options.api === 'openai-compatible' ? http.refusal() : undefined;
        if (refusal === undefined || !learnFrom(kept.compat, refusal)) throw http.broken() ?? error;
      }
    }
  } finally {
    // The request is sent: what is left of its answer comes from a stream of its own.
    kept.idle.push(sender);
  }
}

function createSender(
  { createLanguageModel }: typeof Protocols,
  { api, info }: LibraryModelOptions,
  compat: OpenAiCompat,
  { baseUrl }: ModelServer,
  exchange: Sender['exchange'],
): Sender {
  const sender: Sender = {
    exchange,
    model: createLanguageModel({
      ...{ api, model: info.model, baseUrl },
      fetch: (input, init) => sender.exchange.http.fetch(input, init),
      transformBody: (body) => adaptBody(compat, body, sender.exchange.sessionId),
    }),
  };
  return sender;
}

async function* readParts(
  parts: Parts,
  request: ModelRequest,
  server: ModelServer,
  http: ModelFetch,
): AsyncGenerator<ModelEvent> {
  const newId = (): string => `call_${randomUUID()}`;
  const reader = createPartReader({ server, usedIds: callIds(request.messages), newId });
  for (;;) {
    // An abort ends the connection, and with it this wait: a listener for each read would cost as much as reading.
    const next = await parts.read();
    throwIfAborted(request.signal);
    const part = next.done ? undefined : next.value;
    const broken = http.broken();
    if (part?.type === 'error') {
      if (broken !== undefined) throw broken;
      const isHarmless = isUnknownEvent(server, part.error) || isEndMissing(part.error);
      if (!isHarmless) throw libraryError(server, part.error);
    } else if (part === undefined || part.type === 'finish') {
      // What breaks after the server gave its reason to stop took nothing away.
      if (broken !== undefined && part?.finishReason.raw === undefined) throw broken;
      for (const event of reader.finish(part, http.isMarked())) yield withRequestId(event, http.requestId());
      return;
    } else yield* reader.push(part);
  }
}

function withRequestId(event: ModelEvent, requestId: string | undefined): ModelEvent {
  return event.type === 'done' && requestId !== undefined ? { ...event, requestId } : event;
}

/** The library asks for a finish reason; whether the answer is over without one, its reader decides. */
function isEndMissing(error: unknown): boolean {
  return error instanceof Error && error.message.includes('without a finish reason');
}

function* callIds(messages: readonly AgentMessage[]): Generator<string> {
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.content) if (part.type === 'toolCall') yield part.id;
  }
}

/** Compatibility flags of one OpenAI-compatible server; learned from its refusals, once and not before every answer. */
interface OpenAiCompat {
  /** It wants to hear nothing of `stream_options`, and counts no tokens. */
  refusesUsage: boolean;
  /** It calls the limit of an answer `max_completion_tokens`; OpenAI's own models that think do. */
  wantsCompletionTokens: boolean;
  /** It caches by a name that it is given. */
  readonly takesCacheKey: boolean;
}

/** Nothing is known of a server but OpenAI itself. */
function createOpenAiCompat(baseUrl: string): OpenAiCompat {
  const isOpenAi = URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.openai.com';
  return { refusesUsage: false, wantsCompletionTokens: isOpenAi, takesCacheKey: isOpenAi };
}

/** True where the refusal taught something: the same request may go again. */
function learnFrom(
  compat: OpenAiCompat,
  refusal: { readonly status: number; readonly body: string },
): boolean {
  if (refusal.status !== 400 && refusal.status !== 422) return false;
  if (!compat.wantsCompletionTokens && refusal.body.includes('max_completion_tokens')) {
    compat.wantsCompletionTokens = true;
    return true;
  }
  if (!compat.refusesUsage && refusal.body.includes('stream_options')) {
    compat.refusesUsage = true;
    return true;
  }
  return false;
}

/** The body as this server takes it. `sessionId` names the conversation to servers that cache by it. */
function adaptBody(
  compat: Readonly<OpenAiCompat>,
  body: Readonly<Record<string, unknown>>,
  sessionId: string | undefined,
): Record<string, unknown> {
  const { max_tokens: limit, stream_options: usage, ...rest } = body;
  return {
    ...rest,
    ...(limit !== undefined && {
      [compat.wantsCompletionTokens ? 'max_completion_tokens' : 'max_tokens']: limit,
    }),
    ...(usage !== undefined && !compat.refusesUsage && { stream_options: usage }),
    ...(compat.takesCacheKey && sessionId !== undefined && { prompt_cache_key: sessionId }),
  };
}

/**
 * A request in the library's words. Settings that nobody chose are left out, and thinking where the model can't be asked to.
 * Anthropic is told what to cache: system prompt, tools, and the conversation so far.
 */
function toCallOptions(request: ModelRequest, target: PromptTarget): LanguageModelV4CallOptions {
  const { api, info } = target;
  const { temperature, maxTokens, thinking } = request.settings ?? {};
  const isAnthropic = api === 'anthropic';
  const system: LanguageModelV4Message[] =
    request.systemPrompt === ''
      ? []
      : [{ role: 'system', content: request.systemPrompt, ...(isAnthropic && { providerOptions: cached }) }];
  const messages = toPrompt(withIdsFor(request, isAnthropic), target);
  const tools = info.toolCalling ? toTools(request, isAnthropic) : [];
  // Only Anthropic can't do without a limit.
  const maxOutputTokens = maxTokens ?? (isAnthropic ? info.maxOutputTokens : undefined);
  return {
    prompt: [...system, ...(isAnthropic ? markLast(messages) : messages)],
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(tools.length > 0 && { tools }),
    ...(mayThink(request, target) && thinking !== undefined && { reasoning: efforts[thinking] }),
    providerOptions: providerOptions(target, thinking),
  };
}

/** Anthropic refuses to begin thinking in the middle of a turn whose calls another model wrote. */
function mayThink({ messages }: ModelRequest, { api, info }: PromptTarget): boolean {
  if (info.thinking !== true) return false;
  const last = messages.findLast((message) => message.role === 'assistant');
  const isForeign = last !== undefined && (last.provider !== info.provider || last.model !== info.model);
  const hasCalls = last?.content.some((part) => part.type === 'toolCall') === true;
  return api !== 'anthropic' || !isForeign || !hasCalls;
}

function providerOptions(
  { api, info }: PromptTarget,
  thinking: ThinkingLevel | undefined,
): NonNullable<LanguageModelV4CallOptions['providerOptions']> {
  // A call runs once it is complete: arguments that come early and unchecked are of no use.
  if (api === 'anthropic') return { anthropic: { toolStreaming: false } };
  if (api === 'google' && info.thinking === true && thinking !== 'off') {
    return { google: { thinkingConfig: { includeThoughts: true } } };
  }
  return {};
}

function toTools({ tools }: ModelRequest, isAnthropic: boolean): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, parameters }, index) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
    ...(isAnthropic && index === tools.length - 1 && { providerOptions: cached }),
  }));
}

function markLast(messages: readonly LanguageModelV4Message[]): LanguageModelV4Message[] {
  return messages.map((message, index) =>
    index === messages.length - 1 ? { ...message, providerOptions: cached } : message,
  );
}

/** Anthropic refuses ids with other characters, such as another model's `functions.read:0`. */
function withIdsFor({ messages }: ModelRequest, isAnthropic: boolean): ModelRequest['messages'] {
  if (!isAnthropic) return messages;
  const clean = (id: string): string => id.replace(/[^\w-]/gu, '_');
  return messages.map((message) => {
    if (message.role === 'toolResult') return { ...message, toolCallId: clean(message.toolCallId) };
    if (message.role === 'user') return message;
    const content = message.content.map((part) =>
      part.type === 'toolCall' ? { ...part, id: clean(part.id) } : part,
    );
    return { ...message, content };
  });
}
