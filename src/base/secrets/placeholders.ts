/** What stands for a secret in what models read: of this program, of its redactor, of Dexto's. An element of a list is none: `row[EMAIL]`. */
const placeholder =
  /\[key removed\]|\[redacted: [A-Za-z0-9][A-Za-z0-9 _-]{0,39}\]|(?<![\w)\]])\[(?:REDACTED|EMAIL)\]/gu;

/** The marks in a text that stand for secrets. Pure. */
export function placeholdersIn(text: string): readonly string[] {
  return text.match(placeholder) ?? [];
}
