/** By how much text is indented elsewhere than in the file; all of its lines by the same. */
interface IndentShift {
  /** What the file's lines have in front and the text's lines have not; the other way round in `surplus`. One of them is empty. */
  readonly missing: string;
  readonly surplus: string;
}

/** The shift between lines that are the same but for white space at their start and end; undefined where it is not one. Pure. */
export function findIndentShift(
  wanted: readonly string[],
  found: readonly string[],
): IndentShift | undefined {
  let shift: IndentShift | undefined;
  for (const [at, line] of wanted.entries()) {
    if (line.trim() === '') continue;
    const each = shiftBetween(indentOf(line), indentOf(found[at] ?? ''));
    if (each === undefined) return undefined;
    shift ??= each;
    if (each.missing !== shift.missing || each.surplus !== shift.surplus) return undefined;
  }
  return shift;
}

/** A new line as the file indents it; an empty one stays empty. Pure. */
export function shiftIndent(line: string, { missing, surplus }: IndentShift): string {
  if (line.trim() === '') return line;
  if (surplus === '') return missing + line;
  let cut = 0;
  while (cut < surplus.length && line.charAt(cut) === surplus.charAt(cut)) cut += 1;
  return line.slice(cut);
}

function shiftBetween(wanted: string, found: string): IndentShift | undefined {
  if (found.endsWith(wanted)) return { missing: found.slice(0, found.length - wanted.length), surplus: '' };
  if (wanted.endsWith(found)) return { missing: '', surplus: wanted.slice(0, wanted.length - found.length) };
  return undefined;
}

function indentOf(line: string): string {
  return /^[ \t]*/u.exec(line)?.[0] ?? '';
}
