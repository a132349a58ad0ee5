/** The account of a channel that has only one. */
export const DEFAULT_ACCOUNT_ID = 'default';

const longest = 64;

/** An account's name as id: lower case, letters, digits, `-` and `_`; `default` where nothing is left. */
export function normalizeAccountId(name: unknown): string {
  return normalizeOptionalAccountId(name) ?? DEFAULT_ACCOUNT_ID;
}

/** As `normalizeAccountId`, undefined where nothing is left. */
export function normalizeOptionalAccountId(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const id = name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/gu, '-')
    .replace(/^-+|-+$/gu, '')
    .slice(0, longest);
  return id === '' ? undefined : id;
}
