import { PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { ModelRequest } from '../../contracts/model.ts';
import type { Clock, HttpResponse } from '../../host/ports.ts';
import { malformed } from './modelErrors.ts';
import type { ModelAddress } from './planModelAddress.ts';
import type { ModelConnection } from './openModelConnection.ts';
import { readFailure, type Failure } from './readFailure.ts';
import { reportedError } from './statusError.ts';

interface ModelFetchOptions {
  readonly address: ModelAddress;
  readonly connection: ModelConnection;
  readonly clock: Clock;
  /** As `ModelRequest.rewriteBody`. */
  readonly rewriteBody?: ModelRequest['rewriteBody'];
}

/** One exchange with a server, as a library asks for it. */
export interface ModelFetch {
  readonly fetch: typeof globalThis.fetch;
  /** The last answer that was no success. */
  refusal(): Failure | undefined;
  /** What broke the answer off. Its reader saw no more than an early end. */
  broken(): PincerError | undefined;
  /** What the server calls the last request that it answered. */
  requestId(): string | undefined;
  /** True once the server sent OpenAI's end mark. */
  isMarked(): boolean;
  /** Reads on to the end of a finished answer, for a moment only. */
  finish(): Promise<void>;
}

/**
 * The `fetch` that a protocol library gets. It sends to our address with our headers, key included, and of the library's own
 * only what belongs to the protocol; it gives back nothing but a successful stream of server-sent events. What fails before
 * the stream is thrown as it is; what fails within it ends the stream and is kept for `broken`, since a library would wrap it.
 */
export function createModelFetch({ address, connection, clock, rewriteBody }: ModelFetchOptions): ModelFetch {
  const { server } = address;
  let refusal: Failure | undefined;
  let broken: PincerError | undefined;
  let requestId: string | undefined;
  let text: AsyncIterator<string> | undefined;
  const mark = createMarkWatch();

  const open = async (input: string, init: RequestInit | undefined): Promise<Response> => {
    const body = typeof init?.body === 'string' ? await rewritten(init.body, rewriteBody) : undefined;
    const response = await connection.send({
      url: address.url(endpointOf(input, server.baseUrl)),
      method: 'POST',
      headers: { ...protocolHeaders(init?.headers), ...address.headers },
      ...(body === undefined ? {} : { body }),
    });
    if (response.status < 200 || response.status >= 300) {
      refusal = await readFailure(response, server, clock);
      throw refusal.error;
    }
    requestId = response.header('x-request-id') ?? response.header('request-id');
    text = response.text[Symbol.asyncIterator]();
    const head = await readHead(text);
    const kind = kindOf(response, head);
    if (kind === 'unknown') throw malformed(server, 'sent no answer of a model', server.quote(head));
    const chunks = resume(kind === 'json' ? toEvent(await readWhole(head, text), address) : head, text);
    return new Response(toBody(chunks), { headers: { 'content-type': 'text/event-stream' } });
  };

  const toBody = (chunks: AsyncIterator<string>): ReadableStream<Uint8Array> => {
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const next = mark.isSeen() ? ended : await chunks.next();
          if (next.done === true) {
            // Some servers forget the blank line after the last event, and the parser waits for it.
            controller.enqueue(encoder.encode('\n\n'));
            controller.close();
          } else {
            mark.push(next.value);
            controller.enqueue(encoder.encode(next.value));
          }
        } catch (error) {
          broken = error instanceof PincerError ? error : malformed(server, 'could not be read');
          controller.close();
        }
      },
    });
  };

  return {
    fetch: (input, init) => open(input instanceof Request ? input.url : String(input), init),
    refusal: () => refusal,
    broken: () => broken,
    requestId: () => requestId,
    isMarked: () => mark.isSeen(),
    finish: async () => {
      if (text !== undefined && broken === undefined) await connection.finish(text);
    },
  };
}

async function rewritten(body: string, rewriteBody: ModelRequest['rewriteBody']): Promise<string> {
  const written = rewriteBody === undefined ? undefined : parseJson(body);
  return rewriteBody === undefined || !isRecord(written) ? body : JSON.stringify(await rewriteBody(written));
}

const ended: IteratorResult<string> = { done: true, value: undefined };

/** What the library put after the base URL, without the slash in front. */
function endpointOf(url: string, baseUrl: string): string {
  return url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length + 1) : url;
}

/** Headers that choose a version or a part of a protocol. */
function protocolHeaders(headers: RequestInit['headers']): Record<string, string> {
  return Object.fromEntries([...new Headers(headers)].filter(([name]) => name.startsWith('anthropic-')));
}

/** The first chunks, up to one that is not blank. */
async function readHead(text: AsyncIterator<string>): Promise<string> {
  let head = '';
  while (head.trim() === '') {
    const next = await text.next();
    if (next.done === true) break;
    head += next.value;
  }
  return head;
}

/** Judged by the text: the content type is wrong or missing as often as not, except where it says HTML. */
function kindOf(response: HttpResponse, head: string): 'events' | 'json' | 'unknown' {
  if (/\bhtml\b/iu.test(response.header('content-type') ?? '')) return 'unknown';
  const start = head.trimStart();
  if (/^[{[]/u.test(start)) return 'json';
  return /^(?::|(?:data|event|id|retry)\b)/u.test(start) ? 'events' : 'unknown';
}

async function readWhole(head: string, text: AsyncIterator<string>): Promise<string> {
  const parts = [head];
  for (let next = await text.next(); next.done !== true; next = await text.next()) parts.push(next.value);
  return parts.join('');
}

/**
 * The one event that stands for an answer that was not streamed: OpenAI-compatible servers that can not stream send a
 * whole message in place of its changes.
 *
 * @throws PincerError `model_malformed` for anything else.
 */
function toEvent(body: string, { server }: ModelAddress): string {
  const json = parseJson(body);
  if (json === undefined) throw malformed(server, 'sent JSON that breaks off', server.quote(body));
  const choices = isRecord(json) ? json['choices'] : undefined;
  if (isRecord(json) && json['error'] != null) throw reportedError(server, json['error']);
  if (server.api !== 'openai-compatible' || !isRecord(json) || !Array.isArray(choices)) {
    throw malformed(server, 'sent no answer of a model', server.quote(body));
  }
  const event = {
    ...json,
    choices: choices.map((choice: unknown) =>
      isRecord(choice) ? { ...choice, delta: choice['delta'] ?? choice['message'] } : choice,
    ),
  };
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** `head` and then the rest of `text`. */
function resume(head: string, text: AsyncIterator<string>): AsyncIterator<string> {
  let first: string | undefined = head;
  return {
    next() {
      if (first === undefined) return text.next();
      const value = first;
      first = undefined;
      return Promise.resolve({ done: false, value });
    },
  };
}

/** Looks for OpenAI's end mark, which chunks may cut anywhere. Text can't look like it: JSON has no line feeds. */
function createMarkWatch(): { push(chunk: string): void; isSeen(): boolean } {
  let tail = '\n';
  let isSeen = false;
  return {
    push(chunk) {
      if (isSeen) return;
      const text = tail + chunk;
      isSeen = text.includes('[DONE]') && /[\r\n]data: ?\[DONE\]/u.test(text);
      tail = text.slice(-16);
    },
    isSeen: () => isSeen,
  };
}
