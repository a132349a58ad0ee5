// Threat: a command, a path or an address that a person approves holds characters that are not seen, that look like a plain
// space, or that turn the order of reading. Where the call itself is shown, each of them stands there as its code.

/** Everything without a picture of its own but space, tab and line feed: controls, formats, fillers, other spaces, unassigned. */
const hidden = /[^\P{C}\n\t]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|\u2800/gu;

/** The text with every hidden character as `⟨U+202E⟩`. Line feeds and tabs stay. Pure. */
export function showHidden(text: string): string {
  return text.replace(hidden, (found) => `⟨U+${codeOf(found)}⟩`);
}

/** The same on one line: a line feed is `⏎`, a tab `⇥`. Pure. */
export function showHiddenLine(text: string): string {
  return showHidden(text).replaceAll('\n', ' ⏎ ').replaceAll('\t', ' ⇥ ');
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
