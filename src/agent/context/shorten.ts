/** At most about `max` characters: beginning and end, with a note on what was left out between them. Pure. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = Math.ceil(max * 0.6);
  const tail = max - head;
  const left = text.length - max;
  return `${text.slice(0, head)}\n[… ${String(left)} characters left out …]\n${text.slice(text.length - tail)}`;
}
