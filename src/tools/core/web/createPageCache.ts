import type { Clock } from '../../../host/ports.ts';
import type { WebPage } from './readPage.ts';

/** Pages that were read a moment ago; paging through one must not fetch it again. */
export interface PageCache {
  get(key: string): WebPage | undefined;
  set(key: string, page: WebPage): void;
}

const maxAgeMs = 15 * 60_000;
const maxPages = 50;
const maxChars = 20_000_000;

/** Keeps pages for 15 minutes, the newest 50, of 20 million characters together. */
export function createPageCache(clock: Clock): PageCache {
  const entries = new Map<string, { readonly page: WebPage; readonly at: number }>();
  const charsOfAll = (): number => [...entries.values()].reduce((sum, { page }) => sum + page.text.length, 0);
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined || clock.monotonic() - entry.at < maxAgeMs) return entry?.page;
      entries.delete(key);
      return undefined;
    },
    set(key, page) {
      entries.delete(key);
      entries.set(key, { page, at: clock.monotonic() });
      for (const oldest of entries.keys()) {
        if (entries.size <= maxPages && charsOfAll() <= maxChars) break;
        entries.delete(oldest);
      }
    },
  };
}
