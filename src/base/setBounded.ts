/** Makes an entry the newest of a map, in place of an older one of its key, and drops the oldest beyond `most`. */
export function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** The same change of texts, made once for a text that it was asked for lately; remembers `most` of them. */
export function rememberTexts(change: (text: string) => string, most: number): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const changed = known.get(text) ?? change(text);
    setBounded(known, text, changed, most);
    return changed;
  };
}
