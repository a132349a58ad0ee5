import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { ModelApi } from '../../models/providers/providerCatalog.ts';

/** How a model of a plugin is asked. */
export interface ProviderConnection {
  readonly api: ModelApi;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Upstream's names of the protocols that are spoken here. */
const apis: Readonly<Record<string, ModelApi>> = {
  'openai-completions': 'openai-compatible',
  ollama: 'openai-compatible',
  'anthropic-messages': 'anthropic',
  'google-generative-ai': 'google',
};

/**
 * The server of a model from upstream's fields, or why it can't be asked, as the end of a sentence. `openai-responses` is
 * served by chat completions at OpenAI itself, which offers both for the same models. Pure.
 */
export function toConnection(
  provider: Readonly<Record<string, unknown>>,
  model: Readonly<Record<string, unknown>>,
): ProviderConnection | { readonly problem: string } {
  const name = typeof model['api'] === 'string' ? model['api'] : 'openai-completions';
  const url = typeof model['baseUrl'] === 'string' ? URL.parse(model['baseUrl']) : null;
  if (url === null || !/^https?:$/u.test(url.protocol)) return { problem: 'has no http address (baseUrl)' };
  const isOpenAi = name === 'openai-responses' && url.host === 'api.openai.com';
  const api = isOpenAi ? 'openai-compatible' : Object.hasOwn(apis, name) ? apis[name] : undefined;
  if (api === undefined)
    return {
      problem: `speaks ${inertLine(name, 40)}, which Pincer does not (${Object.keys(apis).join(', ')})`,
    };
  return {
    api,
    baseUrl: withVersion(url, name),
    headers: { ...headersOf(provider['headers']), ...headersOf(model['headers']) },
  };
}

/** Upstream's clients of these protocols add the version themselves; ours have it in the address. */
function withVersion(url: URL, name: string): string {
  const path = url.pathname.replace(/\/+$/u, '');
  const needsVersion = (name === 'anthropic-messages' || name === 'ollama') && !/\/v\d\w*$/u.test(path);
  return `${url.origin}${path}${needsVersion ? '/v1' : ''}${url.search}`;
}

function headersOf(given: unknown): Record<string, string> {
  if (!isRecord(given)) return {};
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
