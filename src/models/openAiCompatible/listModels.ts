import { isRecord, parseJson } from '../../base/json.ts';
import type { Clock, HttpClient } from '../../host/ports.ts';
import { malformed } from './errors.ts';
import { planModelAddress } from './modelServer.ts';
import { openConnection } from './openConnection.ts';
import { readFailure } from './readFailure.ts';

export interface ListModelsOptions {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds until the first byte and between two. Default 15,000: no model has to be loaded for a list. */
  readonly timeoutMs?: number;
}

export interface ListedModel {
  /** What the server calls it; goes into `ModelInfo.model`. */
  readonly id: string;
  /** Tokens, where the server says so (vLLM, OpenRouter). */
  readonly contextWindow?: number;
}

/**
 * The models that a server offers, by name: `GET {baseUrl}/models`.
 *
 * @throws PincerError `model_*` as a model of that server would.
 */
export async function listModels(options: ListModelsOptions): Promise<readonly ListedModel[]> {
  const address = planModelAddress({
    baseUrl: options.baseUrl,
    model: undefined,
    apiKey: options.apiKey,
    headers: options.headers ?? {},
  });
  const { server } = address;
  const timeoutMs = options.timeoutMs ?? 15_000;
  const connection = openConnection({
    server,
    http: options.http,
    clock: options.clock,
    timeouts: { firstByteMs: timeoutMs, idleMs: timeoutMs },
    signal: options.signal,
  });
  try {
    const response = await connection.send({
      url: address.url('models'),
      method: 'GET',
      headers: address.headers,
    });
    if (response.status !== 200) throw (await readFailure(response, server, options.clock)).error;
    const parts: string[] = [];
    for await (const chunk of response.text) parts.push(chunk);
    const models = readList(parseJson(parts.join('')));
    if (models === undefined) throw malformed(server, 'is no such list', server.quote(parts.join('')));
    return models;
  } finally {
    connection.close();
  }
}

function readList(json: unknown): ListedModel[] | undefined {
  const data = isRecord(json) ? (json['data'] ?? json['models']) : json;
  if (!Array.isArray(data)) return undefined;
  return data.flatMap(readModel).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function readModel(entry: unknown): ListedModel[] {
  if (!isRecord(entry)) return [];
  const id = entry['id'] ?? entry['name'];
  if (typeof id !== 'string' || id === '') return [];
  const contextWindow = entry['max_model_len'] ?? entry['context_length'];
  return [{ id, ...(typeof contextWindow === 'number' ? { contextWindow } : {}) }];
}
