// Threat: a server (or a proxy in front of it) may echo the request, key included, in an error page; that text ends up in
// the chat, the log and the transcript. Everything a server says therefore passes `quote` before it enters an error. The
// key goes from here to the HTTP client and into no library: what does not hold it can't repeat it.
import { inertLine } from '../../base/text.ts';
import { misconfigured, type ModelApi, type ModelServer } from './modelErrors.ts';

interface ModelServerOptions {
  readonly api: ModelApi;
  /** Up to and including the version, such as `/v1`. */
  readonly baseUrl: string;
  /** The model's name; undefined where the server itself is asked. */
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything that is fixed before a request: where it goes and what it carries. */
export interface ModelAddress {
  readonly server: ModelServer;
  readonly headers: Readonly<Record<string, string>>;
  /** The address of an endpoint below the base URL, with the query of both. `path` has no slash in front. */
  url(path: string): string;
}

/**
 * Checks address, key and headers before they reach the HTTP client, whose own errors would repeat them.
 *
 * @throws PincerError `model_misconfigured` for an address, a key or a header that can not be sent.
 */
export function planModelAddress(options: ModelServerOptions): ModelAddress {
  const base = parseBaseUrl(options.baseUrl, options.api);
  const key = options.apiKey?.trim() ?? '';
  if (!isHeaderValue(key)) throw misconfigured('The API key has characters that can not be sent.');
  for (const [name, value] of Object.entries(options.headers)) {
    if (!isHeaderValue(value)) {
      throw misconfigured(`The header ${inertLine(name, 60)} has characters that can not be sent.`);
    }
  }
  const secrets = [key, ...Object.values(options.headers).filter((value) => value.length >= 8)];
  const baseUrl = `${base.origin}${base.pathname}`;
  return {
    server: {
      api: options.api,
      subject: options.model === undefined ? 'list of models' : `model “${inertLine(options.model, 120)}”`,
      baseUrl,
      hasKey: key !== '',
      quote: (text) => inertLine(withoutSecrets(text, secrets), 200),
    },
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      ...(options.api === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}),
      ...(key === '' ? {} : keyHeader(options.api, key)),
      ...options.headers,
    },
    url(path) {
      const url = new URL(`${baseUrl}/${path}`);
      for (const [name, value] of base.searchParams) url.searchParams.set(name, value);
      return url.href;
    },
  };
}

function keyHeader(api: ModelApi, key: string): Readonly<Record<string, string>> {
  if (api === 'anthropic') return { 'x-api-key': key };
  if (api === 'google') return { 'x-goog-api-key': key };
  return { authorization: `Bearer ${key}` };
}

/** What people leave out, where the address has nothing but a host. */
const usualPath: Readonly<Record<ModelApi, string>> = {
  'openai-compatible': '',
  anthropic: '/v1',
  google: '/v1beta',
};

/** People paste the full endpoint as often as the base. */
const endpoints: Readonly<Record<ModelApi, RegExp>> = {
  'openai-compatible': /\/chat\/completions$/u,
  anthropic: /\/messages$/u,
  google: /\/models(?:\/[^/]*)?$/u,
};

function parseBaseUrl(
  text: string,
  api: ModelApi,
): { origin: string; pathname: string; searchParams: URLSearchParams } {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw misconfigured(
      'The base URL of the model is no http or https address.',
      'Write it like http://localhost:11434/v1.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw misconfigured(
      `The base URL for ${url.host} has a user name or a password in it.`,
      'Remove it from the address and give the key on its own.',
    );
  }
  const pathname = url.pathname.replace(/\/+$/u, '').replace(endpoints[api], '');
  return {
    origin: url.origin,
    pathname: pathname === '' ? usualPath[api] : pathname,
    searchParams: url.searchParams,
  };
}

/** Visible ASCII and spaces: what every HTTP stack passes on unchanged. */
function isHeaderValue(value: string): boolean {
  return /^[\u0020-\u007E]*$/u.test(value);
}

/** A key of one to three characters is a placeholder, and replacing it would only garble the text. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, '[key]');
  return clean;
}
