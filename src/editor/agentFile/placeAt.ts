/** Where the cursor stands in a YAML file: which keys lead there, and what is written around it. */
export interface YamlCursor {
  /** Keys from the top down; `-` stands for an item of a list. */
  readonly path: readonly string[];
  /** The key that the cursor is behind, where a value is due; undefined where a key is due. */
  readonly key?: string;
  /** Keys that stand beside the cursor's line already. */
  readonly siblings: readonly string[];
}

interface Line {
  /** Column of the first character of the key, behind every `- `. */
  readonly indent: number;
  readonly key?: string;
  readonly value: string;
  /** Columns of the dashes in front of it. */
  readonly dashes: readonly number[];
}

const keyLine =
  /^(?<lead>[ ]*(?:-[ ]+)*)(?:(?<key>[^\s#:'"-][^:#]*?|'[^']*'|"[^"]*")[ ]*:(?=[ ]|$)[ ]*)?(?<value>.*)$/u;

/**
 * Reads the place from the indentation alone, since a file is broken while somebody types in it. Flow style (`{ }`, `[ ]`) and
 * block texts are not looked into. Lines and columns are 0-based. Pure.
 */
export function placeAt(lines: readonly string[], line: number, column: number): YamlCursor | undefined {
  const written = lines[line] ?? '';
  const before = written.slice(0, column);
  if (/(?:^|\s)#/u.test(before)) return undefined;
  const here = readLine(before);
  if (here.value.startsWith('{') || here.value.startsWith('[')) return undefined;
  const parents = parentsOf(lines, line, here);
  const siblings = siblingsOf(lines, line, here.indent);
  const { key } = here;
  return key === undefined ? { path: parents, siblings } : { path: parents, key, siblings };
}

function readLine(text: string): Line {
  const { lead = '', key, value = '' } = keyLine.exec(text)?.groups ?? {};
  const dashes = [...lead.matchAll(/-/gu)].map(({ index }) => index);
  const name = key?.replace(/^(?<quote>['"])(?<inner>.*)\k<quote>$/u, '$<inner>');
  return { indent: lead.length, value, dashes, ...(name === undefined ? {} : { key: name }) };
}

/** Walks up, and takes each line that is indented less than what was found below it. */
function parentsOf(lines: readonly string[], line: number, here: Line): readonly string[] {
  const path: string[] = [];
  let indent = here.indent;
  const open = [...here.dashes];
  const takeDashes = (limit: number): void => {
    while ((open.at(-1) ?? -1) >= limit) {
      path.unshift('-');
      indent = open.pop() ?? indent;
    }
  };
  takeDashes(0);
  for (let at = line - 1; at >= 0; at -= 1) {
    const text = lines[at] ?? '';
    if (isBlank(text)) continue;
    const above = readLine(text);
    // An item's dash may stand in the column of the key that holds the list.
    const isHolder = above.key !== undefined && above.value === '' && above.dashes.length === 0;
    if (
      above.indent < indent ||
      (isHolder && above.indent === indent && path[0] === '-' && above.indent <= indent)
    ) {
      if (above.key === undefined) continue;
      path.unshift(above.key);
      indent = above.indent;
      for (const dash of [...above.dashes].reverse()) {
        path.unshift('-');
        indent = dash;
      }
    } else if (above.dashes.length > 0 && above.indent === indent) {
      // The first line of the item that this line belongs to.
      for (const dash of [...above.dashes].reverse()) {
        path.unshift('-');
        indent = dash;
      }
    }
    if (indent === 0 && path[0] !== '-') break;
  }
  return path;
}

function siblingsOf(lines: readonly string[], line: number, indent: number): readonly string[] {
  const above = keysFrom(lines, line - 1, -1, indent);
  const below = keysFrom(lines, line + 1, 1, indent);
  return [...above, ...below];
}

function keysFrom(lines: readonly string[], start: number, step: 1 | -1, indent: number): readonly string[] {
  const keys: string[] = [];
  for (let at = start; at >= 0 && at < lines.length; at += step) {
    const text = lines[at] ?? '';
    if (isBlank(text)) continue;
    const { indent: own, key, dashes } = readLine(text);
    if (own < indent) break;
    // A dash begins an item: above it another item stands, and below it this one is over.
    const begins = dashes.length > 0;
    if (own === indent && key !== undefined && !(begins && step === 1)) keys.push(key);
    if (own === indent && begins) break;
  }
  return keys;
}

function isBlank(text: string): boolean {
  return /^\s*(?:#.*)?$/u.test(text);
}
