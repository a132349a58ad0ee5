/** A heading and its list as paragraphs of markdown; nothing where the list is empty. */
export function rowsUnder(title: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [`**${title}**`, rows.join('\n')];
}
