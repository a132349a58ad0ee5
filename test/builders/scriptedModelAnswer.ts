import type { ServerResponse } from 'node:http';
import type { ModelWire } from './modelWire.ts';

/** One thing that a scripted answer does; steps run in order. */
export type ScriptStep =
  /** One text delta. */
  | { readonly text: string }
  /** One piece of a thought; `seal` ends it with what has to be given back. */
  | { readonly thinking: string; readonly seal?: string }
  /** One element of OpenAI's `delta.tool_calls`; on its wire exactly as given. */
  | { readonly toolCall: Readonly<Record<string, unknown>> }
  /** A whole chunk, sent as one server-sent event. */
  | { readonly chunk: unknown }
  /** Why the answer ends, in OpenAI's words or in those of the protocol. */
  | { readonly finish: string }
  | { readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } }
  /** The end mark: `[DONE]`, or what ends an answer of the protocol. */
  | { readonly mark: true }
  /** Bytes as they are, framed by nobody. */
  | { readonly raw: string }
  | { readonly bytes: Uint8Array }
  /** Waits for the test, or until the client goes away. */
  | { readonly wait: Promise<unknown> }
  /** Breaks the connection. */
  | { readonly drop: true }
  /** Sends nothing more until the client goes away or the server is disposed. */
  | { readonly hang: true };

export interface ScriptedAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly steps: readonly ScriptStep[];
}

/** A complete answer of text, one delta for each chunk. */
export function textAnswer(...chunks: readonly string[]): ScriptedAnswer {
  return { steps: [...chunks.map((text) => ({ text })), { finish: 'stop' }, { mark: true }] };
}

/** A complete answer that calls tools; the arguments of each come in fragments of `fragmentLength` characters. */
export function toolCallAnswer(
  calls: readonly { readonly id?: string; readonly name: string; readonly arguments: unknown }[],
  options: { readonly text?: string; readonly fragmentLength?: number } = {},
): ScriptedAnswer {
  const { text, fragmentLength = 7 } = options;
  return {
    steps: [
      ...(text === undefined ? [] : [{ text }]),
      ...calls.flatMap((call, index) => [
        {
          toolCall: {
            index,
            id: call.id ?? `call_${index}`,
            type: 'function',
            function: { name: call.name, arguments: '' },
          },
        },
        ...fragments(JSON.stringify(call.arguments), fragmentLength).map((piece) => ({
          toolCall: { index, function: { arguments: piece } },
        })),
      ]),
      { finish: 'tool_calls' },
      { mark: true },
    ],
  };
}

/** A refusal with an error body as OpenAI words it. */
export function statusAnswer(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ScriptedAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    steps: [{ raw: JSON.stringify({ error: { message } }) }],
  };
}

/** The text as it is, such as an HTML page or plain JSON. */
export function rawAnswer(raw: string, contentType = 'text/event-stream'): ScriptedAnswer {
  return { headers: { 'content-type': contentType }, steps: [{ raw }] };
}

/** Begins a tool call and ends the answer in the middle of its arguments. */
export function halfToolCallAnswer(name: string): ScriptedAnswer {
  const call = { index: 0, id: 'call_half', type: 'function', function: { name, arguments: '{"path": "no' } };
  return { steps: [{ toolCall: call }] };
}

/** Says `chunks` and then nothing more, until the client goes away. */
export function hangingAnswer(...chunks: readonly string[]): ScriptedAnswer {
  return { steps: [...chunks.map((text) => ({ text })), { hang: true }] };
}

/** Lets a test decide when a `wait` step goes on. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Carries out an answer in the words of `wire`; ends early when `gone` aborts. */
export async function writeAnswer(
  response: ServerResponse,
  answer: ScriptedAnswer,
  wire: ModelWire,
  gone: AbortSignal,
): Promise<void> {
  response.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers });
  response.flushHeaders();
  for (const step of answer.steps) {
    if (gone.aborted) return;
    if ('drop' in step) {
      await send(response, wire.end());
      response.destroy();
      return;
    }
    if ('hang' in step) await untilGone(gone);
    else if ('wait' in step) await Promise.race([step.wait, untilGone(gone)]);
    else await send(response, wire.write(step));
  }
  if (!gone.aborted) response.end(wire.end());
}

function untilGone(gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) resolve();
    else gone.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Resolves when the bytes have left, so that each step is its own packet as far as the system allows. */
function send(response: ServerResponse, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (bytes.length === 0 || response.destroyed) resolve();
    else response.write(bytes, () => resolve());
  });
}

function fragments(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces;
}
