import { parseJson } from '../../base/json.ts';
import type { Clock, HttpClient } from '../../host/ports.ts';
import { malformed, type ModelApi } from './modelErrors.ts';
import { planModelAddress } from './planModelAddress.ts';
import { openModelConnection } from './openModelConnection.ts';
import { readFailure } from './readFailure.ts';
import { readModelList, type ListedModel } from './readModelList.ts';

interface ListModelsOptions {
  readonly api: ModelApi;
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds until the first byte and between two. Default 15,000: no model has to be loaded for a list. */
  readonly timeoutMs?: number;
}

/** All in one page, as many as the server gives at most. */
const endpoint: Readonly<Record<ModelApi, string>> = {
  'openai-compatible': 'models',
  anthropic: 'models?limit=1000',
  google: 'models?pageSize=1000',
};

/**
 * The models that a server offers, by name.
 *
 * @throws PincerError `model_*` as a model of that server would, `cancelled`.
 */
export async function listModels(options: ListModelsOptions): Promise<readonly ListedModel[]> {
  const address = planModelAddress({
    api: options.api,
    baseUrl: options.baseUrl,
    model: undefined,
    apiKey: options.apiKey,
    headers: options.headers ?? {},
  });
  const { server } = address;
  const timeoutMs = options.timeoutMs ?? 15_000;
  const connection = openModelConnection({
    server,
    http: options.http,
    clock: options.clock,
    timeouts: { firstByteMs: timeoutMs, idleMs: timeoutMs },
    signal: options.signal,
  });
  try {
    const response = await connection.send({
      url: address.url(endpoint[options.api]),
      method: 'GET',
      headers: address.headers,
    });
    if (response.status !== 200) throw (await readFailure(response, server, options.clock)).error;
    const parts: string[] = [];
    for await (const chunk of response.text) parts.push(chunk);
    const models = readModelList(parseJson(parts.join('')));
    if (models === undefined) throw malformed(server, 'is no such list', server.quote(parts.join('')));
    return models;
  } finally {
    connection.close();
  }
}
