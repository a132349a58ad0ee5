// Threat: a key or the texts of notes travel in the open, or a server echoes the key in an error that ends up in a log or a
// chat. So a key goes over https or stays on the machine, and all that a server says passes `quote`.
import { inertLine } from '../../../base/text.ts';
import { embeddingRefused } from '../errors.ts';
import type { EmbeddingProvider } from '../providers/embeddingProvider.ts';

export interface EndpointOptions {
  readonly provider: EmbeddingProvider;
  /** What people call it: `OpenAI`, `Ollama`. */
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Empty where none is needed. */
  readonly key: string;
}

/** Everything that is fixed before a request. */
export interface EmbeddingEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Without its query, which can carry a key. */
  readonly address: string;
  /** Begins each error: provider, model and address. */
  readonly who: string;
  /** What a server said as errors show it: one line, at most 200 characters, no key. */
  readonly quote: (text: string) => string;
}

/** @throws PincerError `embedding_refused` for an address or a key that must not or can not be sent; nothing was sent then. */
export function planEndpoint({ provider, name, baseUrl, model, key }: EndpointOptions): EmbeddingEndpoint {
  const setting = provider.id === 'local' ? 'memory.local.baseUrl' : 'memory.remote.baseUrl';
  const base = parseBase(baseUrl, provider.basePath);
  if (base === undefined) {
    throw embeddingRefused(
      name,
      'has an address that is none.',
      `Set ${setting} to an http or https address.`,
    );
  }
  const address = `${base.origin}${base.pathname}`;
  if (base.hasPassword) {
    const hint = `Take the user name and the password out of ${setting}.`;
    throw embeddingRefused(name, `has a password in its address (${address}).`, hint);
  }
  if (key !== '' && base.protocol === 'http:' && !isLoopback(base.hostname)) {
    throw embeddingRefused(
      name,
      `would get the key over an open connection (${address}).`,
      `Use https in ${setting}.`,
    );
  }
  if (!/^[\u0021-\u007E]*$/u.test(key)) {
    throw embeddingRefused(name, 'has a key with characters that can not be sent.', keyHint(provider));
  }
  return {
    url: `${address}${provider.path(model)}${base.search}`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === '' ? {} : provider.headers(key)),
    },
    address,
    who: `${name} (model “${inertLine(model, 120)}”, ${address})`,
    quote: (text) => inertLine(key.length < 4 ? text : text.replaceAll(key, '[key]'), 200),
  };
}

/** Where the key comes from, as a sentence. */
export function keyHint({ keyVariable }: EmbeddingProvider): string {
  return keyVariable === undefined
    ? 'To send a key, set memory.provider to openai, and memory.remote.baseUrl and memory.remote.apiKey.'
    : `Check ${keyVariable} or memory.remote.apiKey.`;
}

/** The parts of an address without what people paste along: slashes at the end, or the whole endpoint. */
function parseBase(text: string, basePath: string) {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return undefined;
  const pathname = url.pathname.replace(/\/+$/u, '').replace(/\/embeddings$/u, '');
  return {
    origin: url.origin,
    protocol: url.protocol,
    hostname: url.hostname,
    pathname: pathname === '' ? basePath : pathname,
    search: url.search,
    hasPassword: url.username !== '' || url.password !== '',
  };
}

/** Names and numbers that never leave the machine; `URL` has brought numbers into their usual form. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/u.test(hostname)
  );
}
