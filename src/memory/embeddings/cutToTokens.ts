import { estimateTokens } from '../markdown/tokens.ts';

/** The text up to `maxTokens` estimated tokens. Halves of surrogate pairs, which some servers refuse, become U+FFFD. */
export function cutToTokens(text: string, maxTokens: number): string {
  return cut(text, maxTokens).replace(/\p{Surrogate}/gu, '\uFFFD');
}

function cut(text: string, maxTokens: number): string {
  if (text.length <= maxTokens || estimateTokens(text) <= maxTokens) return text;
  // The estimate grows with the length, so the place is found by halving.
  let fits = 0;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (estimateTokens(text.slice(0, middle)) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  const splitsPair = /[\uD800-\uDBFF]/u.test(text.charAt(fits - 1));
  return text.slice(0, splitsPair ? fits - 1 : fits);
}
