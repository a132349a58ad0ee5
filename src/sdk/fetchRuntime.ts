/** A `fetch`: the one that is given, else the platform's; undefined where there is neither. */
export function resolveFetch(fetchLike?: typeof fetch): typeof fetch | undefined {
  return fetchLike ?? (globalThis as { readonly fetch?: typeof fetch }).fetch;
}

/** The same `fetch`: the platform's already takes any signal. */
export function wrapFetchWithAbortSignal(fetchLike: typeof fetch): typeof fetch {
  return fetchLike;
}
