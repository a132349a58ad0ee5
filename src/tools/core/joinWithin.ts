/** As many lines as fit into `maxChars` characters, and how many these are. */
export function joinWithin(
  lines: readonly string[],
  maxChars: number,
): { readonly text: string; readonly count: number } {
  let chars = 0;
  const first = lines.findIndex((line) => (chars += line.length + 1) > maxChars);
  const count = first === -1 ? lines.length : first;
  return { text: lines.slice(0, count).join('\n'), count };
}
