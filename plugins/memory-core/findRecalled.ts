import type { MemorySearchManager, MemorySearchResult } from 'openclaw/plugin-sdk';
import { isRelevant, wordsOf } from './isRelevant.ts';

/** The beginning of a message says what it is about; what is pasted below it would find anything. */
const maxQuery = 600;

/**
 * Passages that may enter the prompt of this message unasked, best first: out of the files that the user's config names, and
 * only what is about it. None where the signal aborts first. @throws what the search throws
 */
export async function findRecalled(
  manager: MemorySearchManager,
  message: string,
  signal: AbortSignal,
): Promise<readonly MemorySearchResult[]> {
  const { enabled, maxSnippets, files } = manager.status().custom.recall;
  const query = message.slice(0, maxQuery);
  const words = wordsOf(query);
  if (!enabled || maxSnippets === 0 || files.length === 0 || words.length === 0) return [];
  const options = { files, sources: ['memory'] as const, maxResults: maxSnippets * 3, signal };
  const found = await unlessAborted(manager.search(query, options), signal);
  return (found ?? []).filter(({ why }) => isRelevant(why, words)).slice(0, maxSnippets);
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const orNothing = work.catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  return await Promise.race([orNothing, aborted]);
}
