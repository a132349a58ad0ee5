import { randomUUID } from 'node:crypto';
import { throwIfAborted } from '../../base/abort.ts';
import type { Model, ModelEvent, ModelInfo, ModelRequest } from '../../contracts/model.ts';
import type { Clock, HttpClient, HttpResponse } from '../../host/ports.ts';
import { planModelAddress, type ModelAddress } from './modelServer.ts';
import { defaultTimeouts, openConnection, type Connection, type ModelTimeouts } from './openConnection.ts';
import { readEvents } from './readEvents.ts';
import { readFailure } from './readFailure.ts';
import { toChatRequest } from './toChatRequest.ts';

export interface OpenAiCompatibleOptions {
  readonly info: ModelInfo;
  /** Up to and including `/v1`: `http://localhost:11434/v1`. */
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
 * A model behind `POST {baseUrl}/chat/completions` with a streamed answer: OpenAI, Ollama, LM Studio, vLLM, llama-server
 * and whatever else speaks that protocol, quirks included. Throws the errors of `errors.ts`; none holds the key.
 */
export function createOpenAiCompatibleModel(options: OpenAiCompatibleOptions): Model {
  const learned = { refusesUsage: false };
  return { info: options.info, stream: (request) => stream(options, learned, request) };
}

/** What one server has taught this model, so that it is asked once and not before every answer. */
interface Learned {
  refusesUsage: boolean;
}

async function* stream(
  options: OpenAiCompatibleOptions,
  learned: Learned,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  throwIfAborted(request.signal);
  const address = planModelAddress({
    baseUrl: options.baseUrl,
    model: options.info.model,
    apiKey: await options.apiKey?.(),
    headers: options.headers ?? {},
  });
  throwIfAborted(request.signal);
  const { server } = address;
  const connection = openConnection({
    server,
    http: options.http,
    clock: options.clock,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    signal: request.signal,
  });
  try {
    const response = await ask(options, learned, address, request, connection);
    const text = response.text[Symbol.asyncIterator]();
    yield* readEvents(text, { server, newId: () => `call_${randomUUID()}` });
    await connection.finish(text);
  } finally {
    connection.close();
  }
}

/** Sends the request, and once more without `stream_options` to a server that refuses those. */
async function ask(
  options: OpenAiCompatibleOptions,
  learned: Learned,
  address: ModelAddress,
  request: ModelRequest,
  connection: Connection,
): Promise<HttpResponse> {
  for (;;) {
    const withUsage = !learned.refusesUsage;
    const response = await connection.send({
      url: address.url('chat/completions'),
      method: 'POST',
      headers: address.headers,
      body: JSON.stringify(toChatRequest(options.info, request, withUsage)),
    });
    if (response.status === 200) return response;
    const failure = await readFailure(response, address.server, options.clock);
    const refusesUsage = [400, 422].includes(failure.status) && failure.body.includes('stream_options');
    if (!withUsage || !refusesUsage) throw failure.error;
    learned.refusesUsage = true;
  }
}
