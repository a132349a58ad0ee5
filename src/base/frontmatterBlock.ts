// Threat: front matter is whatever a stranger's file says. Nested aliases grow to gigabytes when they are resolved, deep nesting ends in a
// stack overflow, and YAML tags make values of any kind: a block has limits, and is read as data.
import { LineCounter, parseDocument } from 'yaml';
import { errorMessage } from './errors.ts';
import { isRecord } from './json.ts';

interface BlockLimits {
  readonly maxLines?: number;
  readonly maxCharacters: number;
  /** The lines that end it. */
  readonly end: RegExp;
}

/** Whether a file's first line begins a block. Pure. */
export function beginsBlock(lines: readonly string[]): boolean {
  return lines[0]?.replace(/^\uFEFF/u, '').trimEnd() === '---';
}

/** The lines that the block at the top of a file takes, both marks included; 0 where none begins, or it has no end within the limits. Pure. */
export function blockLength(
  lines: readonly string[],
  { maxLines = Infinity, maxCharacters, end }: BlockLimits,
): number {
  if (!beginsBlock(lines)) return 0;
  let characters = 0;
  for (let at = 1; at < Math.min(lines.length, maxLines); at += 1) {
    const line = lines[at] ?? '';
    // The end of the line is one, too.
    characters += line.length + 1;
    if (characters > maxCharacters) return 0;
    if (end.test(line)) return at + 1;
  }
  return 0;
}

interface BlockRules {
  readonly maxAliases: number;
  /** Whether a key that is there twice is an error; else the last one counts. */
  readonly uniqueKeys: boolean;
}

type BlockFields =
  | { readonly ok: true; readonly fields: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      readonly message: string;
      /** 1-based line of the block. */
      readonly line?: number;
    };

/** The fields of a block, given without its marks. Pure. */
export function readBlock(text: string, { maxAliases, uniqueKeys }: BlockRules): BlockFields {
  try {
    const lineCounter = new LineCounter();
    const options = { schema: 'core', merge: false, logLevel: 'silent', prettyErrors: false } as const;
    const document = parseDocument(text, { ...options, lineCounter, uniqueKeys });
    const [error] = document.errors;
    if (error !== undefined) {
      const { line } = lineCounter.linePos(error.pos[0]);
      return { ...failed(error.message), ...(line > 0 ? { line } : {}) };
    }
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    return isRecord(value) ? { ok: true, fields: value } : failed('its frontmatter has no fields');
  } catch (error) {
    // What the parser throws says that this is no front matter, not that the file could not be read.
    if (error instanceof Error) return failed(errorMessage(error));
    throw error;
  }
}

function failed(message: string): Extract<BlockFields, { ok: false }> {
  return { ok: false, message: message.includes('call stack') ? 'it is nested too deep' : message };
}
