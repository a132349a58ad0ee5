import { z } from 'zod';
import { missingKey, unreadableAnswer } from './searchErrors.ts';
import type { SearchProvider } from './searchProvider.ts';

const answerShape = z.looseObject({
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
export function createBraveSearch(key: () => Promise<string | undefined>): SearchProvider {
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
      const parsed = answerShape.safeParse(answer);
      if (!parsed.success) throw unreadableAnswer('Brave Search');
      return (parsed.data.web?.results ?? []).map(({ url, title, description }) => ({
        url,
        title: title ?? '',
        snippet: description ?? '',
      }));
    },
  };
}
