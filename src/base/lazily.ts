/**
 * The value that `make` gives, made when it is first asked for and kept. For what is dear to make and stands at the top of a file
 * that the extension loads while the window starts: a collator, a pattern over whole alphabets.
 */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
