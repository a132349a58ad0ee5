import type { ModelApi } from '../../src/models/library/modelErrors.ts';
import type { ScriptStep } from './scriptedModelAnswer.ts';

/** A step that has something to say, rather than to wait or to break off. */
export type SpokenStep = Exclude<
  ScriptStep,
  { readonly wait: unknown } | { readonly drop: true } | { readonly hang: true }
>;

/** One answer on its way, in the form of one protocol. */
export interface ModelWire {
  /** What the server sends for a step; empty where it waits for a later one. */
  write(step: SpokenStep): string | Uint8Array;
  /** What still waits when the script is over or breaks off, without the blank line that ends an event. */
  end(): string;
}

/** The same script in the words of a protocol. */
export function createModelWire(api: ModelApi): ModelWire {
  const wire = {
    'openai-compatible': createOpenAiWire,
    anthropic: createAnthropicWire,
    google: createGoogleWire,
  }[api]();
  return {
    end: () => (api === 'google' ? wire({ mark: true }).trimEnd() : ''),
    write(step) {
      if ('raw' in step) return step.raw;
      if ('bytes' in step) return step.bytes;
      return 'chunk' in step ? toEvent(step.chunk) : wire(step);
    },
  };
}

type WrittenStep = Exclude<
  SpokenStep,
  { readonly raw: string } | { readonly bytes: Uint8Array } | { readonly chunk: unknown }
>;
type Writer = (step: WrittenStep) => string;

function createOpenAiWire(): Writer {
  const toDelta = (delta: unknown): string =>
    toEvent({ choices: [{ index: 0, delta, finish_reason: null }] });
  return (step) => {
    if ('mark' in step) return 'data: [DONE]\n\n';
    if ('usage' in step) return toEvent({ choices: [], usage: step.usage });
    if ('finish' in step) return toEvent({ choices: [{ index: 0, delta: {}, finish_reason: step.finish }] });
    if ('thinking' in step) return toDelta({ reasoning_content: step.thinking });
    return toDelta('text' in step ? { content: step.text } : { tool_calls: [step.toolCall] });
  };
}

/** Blocks that open and close; the end comes with the mark. */
function createAnthropicWire(): Writer {
  let open: { readonly kind: string; readonly index: number } | undefined;
  let blocks = 0;
  let finish: string | null = null;
  let usage = { prompt_tokens: 0, completion_tokens: 0 };
  let isBegun = false;
  const named = (type: string, rest: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const begin = (): string => {
    if (isBegun) return '';
    isBegun = true;
    const message = {
      id: 'msg_1',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    return named('message_start', { message: { ...message, model: 'scripted', stop_reason: null } });
  };
  const close = (): string => {
    const closed = open === undefined ? '' : named('content_block_stop', { index: open.index });
    open = undefined;
    return closed;
  };
  /** The delta, in the open block or in one that begins with it. */
  const inBlock = (kind: string, content_block: object, delta: object | undefined): string => {
    let begun = '';
    if (open?.kind !== kind) {
      begun = close();
      open = { kind, index: blocks };
      blocks += 1;
      begun += named('content_block_start', { index: open.index, content_block });
    }
    return begun + (delta === undefined ? '' : named('content_block_delta', { index: open.index, delta }));
  };

  const write: Writer = (step) => {
    if ('finish' in step) finish = anthropicReasons[step.finish] ?? step.finish;
    else if ('usage' in step) usage = step.usage;
    if ('finish' in step || 'usage' in step) return '';
    if ('mark' in step) {
      const counted = { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens };
      const delta = { stop_reason: finish, stop_sequence: null };
      return `${close()}${named('message_delta', { delta, usage: counted })}${named('message_stop', {})}`;
    }
    if ('text' in step) {
      return inBlock('text', { type: 'text', text: '' }, { type: 'text_delta', text: step.text });
    }
    if ('thinking' in step) {
      const block = { type: 'thinking', thinking: '', signature: '' };
      const thought = inBlock('thinking', block, { type: 'thinking_delta', thinking: step.thinking });
      if (step.seal === undefined) return thought;
      return (
        thought + inBlock('thinking', block, { type: 'signature_delta', signature: step.seal }) + close()
      );
    }
    const { index, id, name, text } = readFragment(step.toolCall);
    const delta = text === '' ? undefined : { type: 'input_json_delta', partial_json: text };
    return inBlock(`call ${index}`, { type: 'tool_use', id, name, input: {} }, delta);
  };
  return (step) => begin() + write(step);
}

/** Whole calls in one piece: fragments wait until something else is said. */
function createGoogleWire(): Writer {
  let calls: { readonly index: number; readonly id: string; readonly name: string; text: string }[] = [];
  const toCandidate = (candidate: object): string => toEvent({ candidates: [{ index: 0, ...candidate }] });
  const flush = (): string => {
    const written = calls.map(({ id, name, text }) => {
      const call = `{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"args":${text}}`;
      return `data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":${call}}]}}]}\n\n`;
    });
    calls = [];
    return written.join('');
  };
  const write: Writer = (step) => {
    if ('mark' in step) return '';
    if ('finish' in step) return toCandidate({ finishReason: googleReasons[step.finish] ?? step.finish });
    if ('usage' in step) {
      const { prompt_tokens: promptTokenCount, completion_tokens: candidatesTokenCount } = step.usage;
      return toEvent({ usageMetadata: { promptTokenCount, candidatesTokenCount } });
    }
    if ('text' in step) return toCandidate({ content: { role: 'model', parts: [{ text: step.text }] } });
    if (!('thinking' in step)) return '';
    const seal = step.seal === undefined ? {} : { thoughtSignature: step.seal };
    return toCandidate({
      content: { role: 'model', parts: [{ text: step.thinking, thought: true, ...seal }] },
    });
  };
  return (step) => {
    if (!('toolCall' in step)) return flush() + write(step);
    const { index, id, name, text } = readFragment(step.toolCall);
    const known = calls.find((call) => call.index === index);
    if (known === undefined) calls.push({ index, id, name, text });
    else known.text += text;
    return '';
  };
}

function toEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function readFragment(toolCall: Readonly<Record<string, unknown>>): {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly text: string;
} {
  const {
    index = 0,
    id = '',
    function: named = {},
  } = toolCall as {
    readonly index?: number;
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  };
  return { index, id, name: named.name ?? '', text: named.arguments ?? '' };
}

const anthropicReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

const googleReasons: Readonly<Record<string, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};
