// Threat: a query carries what the session knows to a stranger, or a key leaks. So queries go only to the service or the plugin's
// provider that the user named, and the key only there.
import { z } from 'zod';
import { PincerError } from '../../../base/errors.ts';
import { inertLine } from '../../../base/text.ts';
import { createGuardedFetch, type GuardedFetch } from '../../../net/createGuardedFetch.ts';
import { readSearchAnswer, type SearchAnswer } from './readProviderAnswer.ts';
import {
  maxSearchCount,
  type SearchProvider,
  type SearchQuery,
  type SearchRequest,
} from './searchProvider.ts';
import type { WebProvider, WebToolDeps } from './webToolDeps.ts';

type WebSearchDeps = Omit<WebToolDeps, 'taint' | 'maxResultChars'>;

/** Asks the search service that the user configured, for the tool `web_search` and for plugins. */
export interface WebSearch {
  /** Why there is no search, as the end of a sentence. */
  unavailable(): string | undefined;
  /** Sends nothing yet. @throws PincerError `web_search_unavailable`, `web_search_key` */
  plan(wish: SearchWish): Promise<PlannedSearch>;
}

/** What is searched for. Without a count, the config says how many results. */
export interface SearchWish {
  readonly query: string;
  readonly count?: number | undefined;
  readonly freshness?: SearchQuery['freshness'];
}

/** A search that can be judged before anything is sent. */
export interface PlannedSearch {
  /** The provider's id in the config. */
  readonly provider: string;
  /** As people read it. */
  readonly label: string;
  /** Where the query goes. */
  readonly host: string;
  readonly url: string;
  /** Gives no more results than were asked for. @throws PincerError `cancelled`, `net_*`, `web_search_*`, `plugin_provider_failed` */
  readonly ask: (signal: AbortSignal) => Promise<SearchAnswer>;
}

export function createWebSearch(deps: WebSearchDeps): WebSearch {
  const guardedFetch = createGuardedFetch({
    network: deps.network,
    clock: deps.clock,
    options: () => ({ proxies: deps.proxies, allowProxy: deps.options().fetch.allowProxy }),
  });
  return {
    unavailable: () => missingSetting(deps),
    async plan({ query, count, freshness }) {
      const wish: SearchQuery = {
        query,
        count: count ?? Math.min(deps.options().search?.count ?? 5, maxSearchCount),
        freshness,
      };
      const plugin = pluginProvider(deps);
      return plugin === undefined
        ? await planByService(deps, guardedFetch, wish)
        : planByPlugin(deps, plugin, wish);
    },
  };
}

function missingSetting({ options, provider }: WebSearchDeps): string | undefined {
  const { search } = options();
  if (search === undefined) return 'no search service is configured (tools.web.search)';
  if (search.provider === 'searxng' && search.baseUrl === undefined)
    return 'tools.web.search.baseUrl, the address of the SearXNG server, is missing';
  if (search.provider === 'brave' && search.apiKey === undefined)
    return 'tools.web.search.apiKey, where the key is kept, is missing';
  if (!isBuiltIn(search.provider) && pluginProvider({ options, provider }) === undefined)
    return `no plugin that runs has registered the search provider "${inertLine(search.provider, 80)}" (tools.web.search.provider)`;
  return undefined;
}

/** Services that need no plugin. */
export const builtInSearches: readonly { readonly id: string; readonly label: string }[] = [
  { id: 'searxng', label: 'SearXNG' },
  { id: 'brave', label: 'Brave Search' },
];

function isBuiltIn(id: string): boolean {
  return builtInSearches.some((each) => each.id === id);
}

/** The provider of a plugin where the config names one and it runs. */
function pluginProvider({
  options,
  provider,
}: Pick<WebSearchDeps, 'options' | 'provider'>): WebProvider | undefined {
  const id = options().search?.provider;
  return id === undefined || isBuiltIn(id) ? undefined : provider('search', id);
}

function planByPlugin(deps: WebSearchDeps, provider: WebProvider, wish: SearchQuery): PlannedSearch {
  // Where it asks is up to the plugin.
  const host = `${provider.label} (plugin ${provider.pluginId})`;
  const { search, fetch } = deps.options();
  return {
    provider: search?.provider ?? provider.label,
    label: provider.label,
    host,
    url: `${host}: ${wish.query}`,
    async ask(signal) {
      const apiKey = search?.apiKey === undefined ? undefined : await deps.secret(search.apiKey);
      const answer = await provider.ask({
        args: {
          query: wish.query,
          count: wish.count,
          ...(wish.freshness === undefined ? {} : { freshness: wish.freshness }),
        },
        config: {
          provider: search?.provider,
          maxResults: search?.count,
          timeoutSeconds: fetch.timeoutMs / 1_000,
          ...(search?.baseUrl === undefined ? {} : { baseUrl: search.baseUrl }),
          ...(apiKey === undefined ? {} : { apiKey }),
        },
        read: readSearchAnswer,
        signal,
        timeoutMs: fetch.timeoutMs,
      });
      return { ...answer, results: answer.results.slice(0, wish.count) };
    },
  };
}

async function planByService(
  deps: WebSearchDeps,
  guardedFetch: GuardedFetch,
  wish: SearchQuery,
): Promise<PlannedSearch> {
  const { id, provider } = requireProvider(deps);
  const request = await provider.plan(wish);
  const { host, href } = request.url;
  return {
    provider: id,
    label: provider.label,
    host,
    url: href,
    async ask(signal) {
      const answer = await send(deps, guardedFetch, provider, request, signal);
      return { content: '', results: provider.read(answer).slice(0, wish.count) };
    },
  };
}

/** @throws PincerError `web_search_unavailable` */
function requireProvider(deps: WebSearchDeps): { readonly id: string; readonly provider: SearchProvider } {
  const { search } = deps.options();
  if (search?.provider === 'searxng' && search.baseUrl !== undefined)
    return { id: 'searxng', provider: createSearxng(search.baseUrl) };
  const reference = search?.apiKey;
  if (search?.provider === 'brave' && reference !== undefined)
    return { id: 'brave', provider: createBraveSearch(async () => await deps.secret(reference)) };
  throw new PincerError(
    'web_search_unavailable',
    `There is no search: ${missingSetting(deps) ?? 'it is not configured'}.`,
  );
}

/** Of one answer. */
const maxBytes = 2_000_000;

async function send(
  deps: WebSearchDeps,
  guardedFetch: GuardedFetch,
  provider: SearchProvider,
  { url, headers }: SearchRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await guardedFetch({
    url: url.href,
    headers: { accept: 'application/json', ...headers },
    signal,
    timeoutMs: deps.options().fetch.timeoutMs,
    maxBytes,
    mayFollow: (to, from) => to.origin === from.origin,
    ...(provider.ownOrigin === undefined ? {} : { ownOrigin: provider.ownOrigin }),
  });
  if (response.status !== 200) throw refusedSearch(provider.label, response.status);
  try {
    return JSON.parse(new TextDecoder().decode(response.bytes)) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw unreadableAnswer(provider.label);
    throw error;
  }
}

const braveAnswer = z.looseObject({
  web: z
    .looseObject({
      results: z.array(
        z.looseObject({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() }),
      ),
    })
    .nullish(),
});

const freshnessCodes = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;

/** The Brave Search API. The key goes into a header, to this host alone. */
function createBraveSearch(key: () => Promise<string | undefined>): SearchProvider {
  return {
    label: 'Brave Search',
    plan: async ({ query, count, freshness }) => {
      const token = await key();
      if (token === undefined || token.trim() === '') throw missingKey('Brave Search');
      const url = new URL('https://api.search.brave.com/res/v1/web/search');
      url.searchParams.set('q', query);
      url.searchParams.set('count', String(count));
      url.searchParams.set('text_decorations', 'false');
      if (freshness !== undefined) url.searchParams.set('freshness', freshnessCodes[freshness]);
      return { url, headers: { 'x-subscription-token': token.trim() } };
    },
    read: (answer) => {
      const parsed = braveAnswer.safeParse(answer);
      if (!parsed.success) throw unreadableAnswer('Brave Search');
      return (parsed.data.web?.results ?? []).map(({ url, title, description }) => ({
        url,
        title: title ?? '',
        snippet: description ?? '',
      }));
    },
  };
}

const searxngAnswer = z.looseObject({
  results: z.array(
    z.looseObject({ url: z.string(), title: z.string().nullish(), content: z.string().nullish() }),
  ),
});

/** SearXNG's JSON API, at an address that the user chose: it may be on the user's own machine. */
function createSearxng(baseUrl: string): SearchProvider {
  const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  // An address is shown and may be logged; a header is not.
  const headers = takeCredentials(base);
  return {
    label: `SearXNG at ${base.host}`,
    ownOrigin: base.origin,
    plan: ({ query, freshness }) => {
      const url = new URL('search', base);
      url.searchParams.set('q', query);
      url.searchParams.set('format', 'json');
      // SearXNG knows no weeks; a month holds them.
      if (freshness !== undefined)
        url.searchParams.set('time_range', freshness === 'week' ? 'month' : freshness);
      return Promise.resolve({ url, headers });
    },
    read: (answer) => {
      const parsed = searxngAnswer.safeParse(answer);
      if (!parsed.success) throw unreadableAnswer('SearXNG');
      return parsed.data.results.map(({ url, title, content }) => ({
        url,
        title: title ?? '',
        snippet: content ?? '',
      }));
    },
  };
}

/** Takes user name and password out of an address and makes a header of them. */
function takeCredentials(url: URL): Readonly<Record<string, string>> {
  const { username, password } = url;
  if (username === '' && password === '') return {};
  url.username = '';
  url.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The config names a key that nobody has stored. */
function missingKey(service: string): PincerError {
  return new PincerError(
    'web_search_key',
    `The key of ${service} was not found where tools.web.search.apiKey says.`,
    {
      hint: 'The user must store the key there. Go on without a search.',
    },
  );
}

/** The service answered with an error status. */
function refusedSearch(service: string, status: number): PincerError {
  const hints: Readonly<Record<number, string>> = {
    401: 'The user must check the key of the service.',
    403: 'The user must check the key of the service, or for SearXNG that its JSON format is switched on (search.formats).',
    429: 'Too many searches: wait a while.',
  };
  return new PincerError('web_search_status', `${service} answered with status ${status}.`, {
    hint: hints[status] ?? 'Try again later, or go on without a search.',
  });
}

/** The answer has another form than the service documents. */
function unreadableAnswer(service: string): PincerError {
  return new PincerError('web_search_answer', `The answer of ${service} is not what its search gives.`, {
    hint: 'The user must check tools.web.search. Go on without a search.',
  });
}
