// Threat: what a plugin's provider answers is made by strangers, and by the plugin. So each field is read once, only what is needed and
// no more than fits, and an address counts only where it is one that could be fetched.
import { isRecord } from '../../../base/json.ts';
import { inertLine } from '../../../base/text.ts';
import { judgeUrl } from '../../../net/judgeUrl.ts';
import type { SearchResult } from './searchProvider.ts';

const maxFieldChars = 4_000;
const maxAnswerChars = 20_000;
/** Results that are looked at, those that are left out included. */
const maxLookedAt = 100;

/** What a search provider has found: a text of its own, results, or both. */
export interface SearchAnswer {
  readonly content: string;
  readonly results: readonly SearchResult[];
}

/** Upstream's shapes of a search answer: results, an answer with citations, an error. @throws Error where it is none of them */
export function readSearchAnswer(answer: unknown): SearchAnswer {
  if (!isRecord(answer)) throw new Error('it answered no object');
  const { error, message, results, content, citations } = answer;
  throwSaid(error, message);
  const text = typeof content === 'string' ? content.slice(0, maxAnswerChars) : '';
  const list: unknown = Array.isArray(results) ? results : citations;
  if (!Array.isArray(results) && text === '')
    throw new Error('it answered neither a list of results nor content');
  const entries: readonly unknown[] = Array.isArray(list) ? list.slice(0, maxLookedAt) : [];
  return { content: text, results: entries.flatMap(readResult) };
}

/** A citation may be an address alone. */
function readResult(entry: unknown): readonly SearchResult[] {
  const { url, title, snippet, description, content } = isRecord(entry)
    ? entry
    : { url: entry, title: undefined, snippet: undefined, description: undefined, content: undefined };
  if (typeof url !== 'string' || url.length > maxFieldChars) return [];
  const verdict = judgeUrl(url);
  if (verdict.kind === 'block') return [];
  const text = [snippet, description, content].find((each) => typeof each === 'string' && each !== '');
  return [{ url: verdict.url.href, title: fieldOf(title) || verdict.url.host, snippet: fieldOf(text) }];
}

/** A page as a fetch provider read it. */
interface FetchAnswer {
  /** Where it was found in the end, as the provider says; undefined where it does not say. */
  readonly url: string | undefined;
  readonly title: string;
  /** Empty where it names none. */
  readonly type: string;
  readonly text: string;
  readonly isCut: boolean;
}

/** Upstream's shape of a fetched page. @throws Error where it is another */
export function readFetchAnswer(answer: unknown, maxChars: number): FetchAnswer {
  if (!isRecord(answer)) throw new Error('it answered no object');
  const { error, message, finalUrl, url, title, contentType, text, content, truncated } = answer;
  throwSaid(error, message);
  const whole = [text, content].find((each) => typeof each === 'string');
  if (typeof whole !== 'string') throw new Error('it answered no text');
  const address = finalUrl ?? url;
  if (address !== undefined && typeof address !== 'string') throw new Error('its url is no text');
  return {
    url: address,
    title: fieldOf(title),
    type: typeof contentType === 'string' ? contentType.slice(0, 200) : '',
    text: whole.slice(0, maxChars),
    isCut: truncated === true || whole.length > maxChars,
  };
}

function throwSaid(error: unknown, message: unknown): void {
  if (error === undefined || error === null || error === false) return;
  const said = [message, error].find((each) => typeof each === 'string');
  throw new Error(typeof said === 'string' ? inertLine(said, 300) : 'it says that it failed');
}

function fieldOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxFieldChars) : '';
}
