import { throwIfAborted } from '../../../base/abort.ts';
import { PincerError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import { inertLine } from '../../../base/text.ts';
import type { PluginWebSearchResult } from '../../../sdk/types.ts';
import type { SearchWish, WebSearch } from '../../../tools/core/web/createWebSearch.ts';
import { maxQueryChars, maxSearchCount, searchFreshness } from '../../../tools/core/web/searchProvider.ts';

/** What `api.runtime.webSearch` asks. */
export interface PluginWebSearch extends Pick<WebSearch, 'plan'> {
  /** Whom the user's config may name. */
  readonly providers: () => readonly {
    readonly id: string;
    readonly label: string;
    readonly pluginId: string;
  }[];
}

interface WebSearchMemberParts {
  readonly assertLoaded: (method: string) => void;
  /** The plugin has named something that has no effect here. */
  readonly noteIdle: (member: string, lost: string) => void;
  readonly webSearch: PluginWebSearch;
}

const usedArgs = `a search takes query, count, and freshness as ${searchFreshness.join(', ')}`;

type Members = Readonly<Record<string, unknown>>;

/**
 * `api.runtime.webSearch`. Threat: a plugin has the user's key used for a service of its choice. So the service is the one of the user's
 * config, whatever configuration the plugin hands over, and another `providerId` is refused.
 */
export function webSearchMembers({ webSearch, assertLoaded, noteIdle }: WebSearchMemberParts): Members {
  // Once: the names are the plugin's, and it may call in a loop.
  let hasNoted = false;
  return {
    listProviders() {
      assertLoaded('runtime.webSearch.listProviders');
      return webSearch.providers().map(({ id, label, pluginId }) => ({ id, label, pluginId }));
    },
    async search(given: unknown): Promise<PluginWebSearchResult> {
      assertLoaded('runtime.webSearch.search');
      const { args, providerId, signal, assertCurrent } = isRecord(given) ? given : {};
      const { wish, unused } = readWish(args);
      if (unused.length > 0 && !hasNoted) {
        hasNoted = true;
        noteIdle(`webSearch.search({ args: { ${unused.join(', ')} } })`, usedArgs);
      }
      const { provider, ask } = await webSearch.plan(wish);
      if (providerId !== undefined && providerId !== provider) throw otherProvider(providerId, provider);
      const stop = signal instanceof AbortSignal ? signal : new AbortController().signal;
      throwIfAborted(stop);
      if (typeof assertCurrent === 'function') Reflect.apply(assertCurrent, undefined, []);
      const { content, results } = await ask(stop);
      const facts = {
        query: wish.query,
        provider,
        externalContent: { untrusted: true, source: 'web_search', provider, wrapped: false } as const,
      };
      return {
        provider,
        result:
          content === ''
            ? { ...facts, count: results.length, results }
            : { ...facts, content, citations: results.map(({ url, title }) => ({ url, title })) },
      };
    },
  };
}

function readWish(args: unknown): { readonly wish: SearchWish; readonly unused: readonly string[] } {
  const { query, count, freshness, ...more } = isRecord(args) ? args : {};
  if (typeof query !== 'string' || query.trim() === '' || query.length > maxQueryChars)
    throw new TypeError(`search needs args.query, a text of at most ${String(maxQueryChars)} characters.`);
  const lately = searchFreshness.find((each) => each === freshness);
  return {
    wish: {
      query,
      count: Number.isFinite(count)
        ? Math.min(Math.max(Math.trunc(count as number), 1), maxSearchCount)
        : undefined,
      freshness: lately,
    },
    unused: [
      ...Object.keys(more).map((key) => inertLine(key, 40)),
      ...(freshness === undefined || lately !== undefined ? [] : ['freshness']),
    ],
  };
}

function otherProvider(asked: unknown, provider: string): PincerError {
  const name = typeof asked === 'string' ? inertLine(asked, 80) : 'none that has a name';
  return new PincerError(
    'web_search_provider_refused',
    `A plugin asks the web search provider "${name}", and your config names "${provider}".`,
    { hint: 'Search without providerId, or ask the user to change tools.web.search.provider.' },
  );
}
