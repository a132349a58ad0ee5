/** The first `max` UTF-16 units of a text; surrogate pairs stay whole. Pure. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const splitsPair = /[\uD800-\uDBFF]/u.test(text.charAt(max - 1));
  return text.slice(0, splitsPair ? max - 1 : max);
}
