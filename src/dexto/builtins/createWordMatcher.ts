/** True where a text holds one of the words or phrases. */
export type WordMatcher = (text: string) => boolean;

/**
 * Finds whole words and phrases, whatever their case, width and what stands between their words. Reads a text once, however many words
 * there are. Entries without a letter or digit are never found. Pure.
 */
export function createWordMatcher(phrases: readonly string[]): WordMatcher {
  const byFirst = new Map<string, string[][]>();
  for (const [first, ...others] of phrases.map(wordsOf)) {
    if (first !== undefined) byFirst.set(first, [...(byFirst.get(first) ?? []), others]);
  }
  if (byFirst.size === 0) return () => false;
  return (text) => {
    const words = wordsOf(text);
    const follows = (others: readonly string[], index: number): boolean =>
      others.every((word, offset) => words[index + 1 + offset] === word);
    return words.some((word, index) => byFirst.get(word)?.some((others) => follows(others, index)) === true);
  };
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
