const reserved: readonly string[] = ['host', 'core'];
const hookPrefix = 'hook:';

/**
 * Names by which the program itself asks and owns: a plugin of that name could answer, or be answered, in its place. Ids that
 * begin with `hook:` are those of operator hooks, for consents. Case does not count: people can't tell `Host` from `host`. Pure.
 */
export function isReservedId(id: string): boolean {
  const plain = id.trim().toLowerCase();
  return reserved.includes(plain) || plain.startsWith(hookPrefix);
}
