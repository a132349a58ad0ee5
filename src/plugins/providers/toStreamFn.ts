import { isRecord } from '../../base/json.ts';
import type { Model, ModelEvent, ModelInfo, ModelRequest, ModelSettings } from '../../contracts/model.ts';
import type { ToolDefinition } from '../../contracts/tool.ts';
import type { StreamFn } from './createStreamFnModel.ts';
import { readHistory } from './readHistory.ts';
import { toStreamMessages, toStreamUsage } from './toStreamContext.ts';

interface StreamFnParts {
  readonly request: ModelRequest;
  readonly redact: (text: string) => string;
  /** The model itself failed, not the plugin around it. */
  readonly failed: (error: unknown) => void;
  /** Calls the plugin's `onPayload`; what it gives is anything. Must not reject. */
  readonly onPayload: (run: () => unknown) => Promise<unknown>;
}

/**
 * A model as upstream's stream functions ask one, for a plugin that wraps it (`wrapStreamFn`). Of what the plugin passes on, these count:
 * system prompt, messages, the parameters of tools that are there, temperature, tokens, thinking, the signal, and `onPayload`, which may
 * change the body. Address, key and headers stay those of the provider.
 */
export function toStreamFn(model: Model, parts: StreamFnParts): StreamFn {
  return (given, context, options) => {
    const changed = changedRequest(model.info, parts, given, { context, options });
    return toEventStream(answer(model, changed, parts.failed));
  };
}

function changedRequest(
  info: ModelInfo,
  { request, redact, onPayload }: StreamFnParts,
  given: object,
  passed: { readonly context: unknown; readonly options: unknown },
): ModelRequest {
  const context = isRecord(passed.context) ? passed.context : {};
  const options = isRecord(passed.options) ? passed.options : {};
  const { systemPrompt } = context;
  const { signal, onPayload: rewrite } = options;
  const before = request.rewriteBody;
  return {
    ...request,
    systemPrompt: typeof systemPrompt === 'string' ? systemPrompt : request.systemPrompt,
    messages: readHistory(context['messages'], {
      history: request.messages,
      copies: toStreamMessages(request.messages),
      tokenBudget: info.contextWindow,
      redact,
      what: 'wrapStreamFn',
    }),
    tools: readToolSchemas(context['tools'], request.tools),
    settings: changedSettings(info, request.settings, options),
    signal: signal instanceof AbortSignal ? AbortSignal.any([request.signal, signal]) : request.signal,
    ...(typeof rewrite !== 'function'
      ? {}
      : {
          async rewriteBody(body) {
            const written = { ...(before === undefined ? body : await before(body)) };
            const untouched = structuredClone(written);
            const said = await onPayload(() => Reflect.apply(rewrite, options, [written, given]) as unknown);
            if (said === failedToRewrite) return untouched;
            return isRecord(said) ? said : written;
          },
        }),
  };
}

/** What `onPayload` resolves to where the plugin's function threw. */
export const failedToRewrite = Symbol('failed to rewrite');

function changedSettings(
  { maxOutputTokens }: ModelInfo,
  settings: ModelSettings = {},
  { temperature, maxTokens, reasoning }: Readonly<Record<string, unknown>>,
): ModelSettings {
  // A limit that nobody chose was told to the plugin, which passes it on.
  const isChosen = isCount(maxTokens) && maxTokens !== (settings.maxTokens ?? maxOutputTokens);
  return {
    ...settings,
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(isChosen ? { maxTokens } : {}),
    ...(isThinkingLevel(reasoning) ? { thinking: reasoning } : {}),
  };
}

/** Tools that are there, with the parameters that a plugin gives them now; those that it leaves out are gone. */
export function readToolSchemas(given: unknown, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  if (!Array.isArray(given)) return tools;
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  return (given as readonly unknown[]).flatMap((each) => {
    const { name, description, parameters } = isRecord(each) ? each : {};
    const tool = typeof name === 'string' ? known.get(name) : undefined;
    if (tool === undefined) return [];
    return [
      {
        ...tool,
        ...(typeof description === 'string' ? { description } : {}),
        ...(isRecord(parameters) ? { parameters: structuredClone(parameters) } : {}),
      },
    ];
  });
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

const levels: ReadonlySet<unknown> = new Set(['off', 'minimal', 'low', 'medium', 'high', 'xhigh']);

function isThinkingLevel(value: unknown): value is NonNullable<ModelSettings['thinking']> {
  return levels.has(value);
}

/** The answer so far, as plugins see it in each event. */
interface SoFar {
  readonly content: Record<string, unknown>[];
  readonly message: object;
  /** More may come to the last part. */
  isOpen: boolean;
}

/** The model's events in upstream's shape. Returns the whole answer. */
async function* answer(
  model: Model,
  request: ModelRequest,
  failed: (error: unknown) => void,
): AsyncGenerator<object, object> {
  const { provider, model: name, api = 'unknown' } = model.info;
  const content: Record<string, unknown>[] = [];
  const head = { role: 'assistant', content, api, provider, model: name, timestamp: 0 };
  const message = { ...head, usage: toStreamUsage(undefined), stopReason: 'stop' };
  const so: SoFar = { content, message, isOpen: false };
  yield { type: 'start', partial: message };
  try {
    for await (const event of model.stream(request)) {
      if (event.type !== 'done') {
        yield* toStreamEvents(event, so);
        continue;
      }
      yield* endPart(so);
      const { stopReason, usage, requestId } = event;
      const whole = {
        ...{ ...head, usage: toStreamUsage(usage), stopReason },
        ...(requestId === undefined ? {} : { responseId: requestId }),
      };
      yield { type: 'done', reason: stopReason, message: whole };
      return whole;
    }
  } catch (error) {
    failed(error);
    throw error;
  }
  return message;
}

function* toStreamEvents(event: ModelEvent, so: SoFar): Generator<object> {
  const { content, message: partial } = so;
  switch (event.type) {
    case 'text':
    case 'thinking': {
      const { type, text } = event;
      yield* openPart(so, type);
      const part = content.at(-1) ?? {};
      part[type] = `${String(part[type])}${text}`;
      yield { type: `${type}_delta`, contentIndex: content.length - 1, delta: text, partial };
      return;
    }
    case 'thinkingEnd': {
      // A server may hide the thought and send its signature alone.
      yield* openPart(so, 'thinking');
      const { signature, redacted } = event;
      Object.assign(content.at(-1) ?? {}, {
        ...(signature === undefined ? {} : { thinkingSignature: signature }),
        ...(redacted === undefined ? {} : { redacted }),
      });
      yield* endPart(so);
      return;
    }
    case 'toolCall': {
      yield* endPart(so);
      const toolCall = { ...event };
      const contentIndex = content.push(toolCall) - 1;
      yield { type: 'toolcall_start', contentIndex, partial };
      yield { type: 'toolcall_end', contentIndex, toolCall, partial };
      return;
    }
    default:
  }
}

function* openPart(so: SoFar, type: 'text' | 'thinking'): Generator<object> {
  const { content, message: partial } = so;
  if (so.isOpen && content.at(-1)?.['type'] === type) return;
  yield* endPart(so);
  const contentIndex = content.push({ type, [type]: '' }) - 1;
  so.isOpen = true;
  yield { type: `${type}_start`, contentIndex, partial };
}

function* endPart(so: SoFar): Generator<object> {
  if (!so.isOpen) return;
  so.isOpen = false;
  const { content, message: partial } = so;
  const { type, text, thinking } = content.at(-1) ?? {};
  const contentIndex = content.length - 1;
  yield { type: `${String(type)}_end`, contentIndex, content: type === 'text' ? text : thinking, partial };
}

/** Upstream's streams are read one event after the other, and tell the whole answer by `result()`. */
function toEventStream(source: AsyncGenerator<object, object>): object {
  let isRead = false;
  let settle: { resolve(message: object): void; reject(error: unknown): void } | undefined;
  const whole = new Promise<object>((resolve, reject) => void (settle = { resolve, reject }));
  // Whoever reads the stream hears of it there.
  whole.catch(() => undefined);
  async function* read(): AsyncGenerator<object> {
    isRead = true;
    try {
      for (;;) {
        const next = await source.next();
        if (next.done === true) {
          settle?.resolve(next.value);
          return;
        }
        yield next.value;
      }
    } catch (error) {
      settle?.reject(error);
      throw error;
    } finally {
      settle?.reject(new Error('The stream was not read to its end.'));
      await source.return({});
    }
  }
  const events = read();
  return {
    [Symbol.asyncIterator]: () => events,
    async result() {
      if (!isRead) while ((await events.next()).done !== true);
      return await whole;
    },
  };
}
