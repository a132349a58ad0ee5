import { z } from 'zod';
import { unreadableAnswer } from './searchErrors.ts';
import type { SearchProvider } from './searchProvider.ts';

const answerShape = z.looseObject({
  results: z.array(
    z.looseObject({ url: z.string(), title: z.string().nullish(), content: z.string().nullish() }),
  ),
});

/** SearXNG's JSON API, at an address that the user chose: it may be on the user's own machine. */
export function createSearxng(baseUrl: string): SearchProvider {
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
      // It knows no weeks; the next longer time finds them, too.
      if (freshness !== undefined)
        url.searchParams.set('time_range', freshness === 'week' ? 'month' : freshness);
      return Promise.resolve({ url, headers });
    },
    read: (answer) => {
      const parsed = answerShape.safeParse(answer);
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
