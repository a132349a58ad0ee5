export const maxSearchCount = 20;
export const maxQueryChars = 400;
export const searchFreshness = ['day', 'week', 'month', 'year'] as const;

/** What a search service is asked. */
export interface SearchQuery {
  readonly query: string;
  /** Most results, 1 to `maxSearchCount`. */
  readonly count: number;
  /** Only what was published lately; undefined for everything. */
  readonly freshness: (typeof searchFreshness)[number] | undefined;
}

/** One hit, as the service wrote it: all of it is text from outside. */
export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** A search service: which request to send, and how to read the answer. Sends nothing itself. */
export interface SearchProvider {
  /** As people read it: `SearXNG at search.example`. */
  readonly label: string;
  /** Set where the user named the service's address: it may lie in the user's own network. */
  readonly ownOrigin?: string;
  /** The request; what is secret stands in the headers, never in the address. @throws PincerError `web_search_key` */
  plan(query: SearchQuery): Promise<SearchRequest>;
  /** The hits of an answer. @throws PincerError `web_search_answer` where it is none. */
  read(answer: unknown): readonly SearchResult[];
}

export interface SearchRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}
