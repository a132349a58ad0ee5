/** What a text about a plugin says beside the plugin's name: without the name before it and the file behind it. Pure. */
export function shortReason(
  text: string,
  { name, source }: { readonly name?: string | undefined; readonly source?: string | undefined },
): string {
  const start = `plugin '${name ?? ''}' `;
  const end = ` (${source ?? ''})`;
  const fromStart = text.startsWith(start) ? text.slice(start.length) : text;
  return fromStart.endsWith(end) ? fromStart.slice(0, -end.length) : fromStart;
}
