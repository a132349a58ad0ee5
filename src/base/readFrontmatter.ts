import JSON5 from 'json5';
import { beginsBlock, blockLength, readBlock } from './frontmatterBlock.ts';
import { isRecord } from './json.ts';

type Frontmatter =
  | {
      readonly ok: true;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly warnings: readonly FrontmatterNote[];
      /** What follows the block. */
      readonly body: string;
    }
  | { readonly ok: false; readonly message: string; readonly line?: number };

export interface FrontmatterNote {
  readonly message: string;
  /** 1-based line of the file. */
  readonly line?: number;
}

interface FrontmatterOptions {
  /** How messages call the file. */
  readonly fileName: string;
  /** A field that has to hold an object where the block is no strict YAML; it may be JSON5. */
  readonly objectField?: string;
}

const maxCharacters = 64_000;
const maxAliases = 50;

/** Reads the block between the two `---` lines at the top of a HOOK.md or SKILL.md. Pure. */
export function readFrontmatter(text: string, { fileName, objectField }: FrontmatterOptions): Frontmatter {
  const lines = text.split(/\r\n|\r|\n/u);
  if (!beginsBlock(lines))
    return { ok: false, message: `${fileName} has no frontmatter: its first line must be ---`, line: 1 };
  const length = blockLength(lines, { maxCharacters, end: /^---\s*$/u });
  if (length === 0) {
    const where = text.length > maxCharacters ? ` within ${maxCharacters} characters` : '';
    return { ok: false, message: `${fileName}: its frontmatter has no closing ---${where}`, line: 1 };
  }
  const block = lines.slice(1, length - 1);
  const body = lines.slice(length).join('\n');
  const read = readBlock(block.join('\n'), { maxAliases, uniqueKeys: true });
  if (read.ok) return { ...withWarnings(fileName, read.fields, []), body };
  // Line 1 is the opening ---.
  const line = read.line === undefined ? 1 : read.line + 1;
  const simple = parseSimply(block, objectField);
  if (simple === undefined) return { ok: false, message: `${fileName}: ${read.message}`, line };
  const message = `${fileName} is no strict YAML (${read.message}); it was read anyway`;
  return { ...withWarnings(fileName, simple, [{ message, line }]), body };
}

function withWarnings(
  fileName: string,
  fields: Readonly<Record<string, unknown>>,
  warnings: readonly FrontmatterNote[],
): Omit<Extract<Frontmatter, { ok: true }>, 'body'> {
  if (!hasPrototypeField(fields)) return { ok: true, fields, warnings };
  const note = { message: `${fileName} has a field named __proto__; it is ignored`, line: 1 };
  return { ok: true, fields, warnings: [...warnings, note] };
}

/**
 * Upstream reads `key: value` line by line, and metadata as JSON5. So a colon in a description or a comment in the metadata,
 * which YAML refuses, is common. Undefined where this finds no fields, or not the object that has to be there.
 */
function parseSimply(
  lines: readonly string[],
  objectField: string | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const fields = new Map<string, string>();
  let key: string | undefined;
  for (const line of lines) {
    const start = /^([A-Za-z][\w-]*):(.*)$/u.exec(line);
    if (start?.[1] !== undefined) {
      key = start[1];
      fields.set(key, (start[2] ?? '').trim());
    } else if (key !== undefined && /^[\t ]/u.test(line)) {
      fields.set(key, `${fields.get(key) ?? ''}\n${line}`);
    }
  }
  const texts = Object.fromEntries(
    [...fields].map(([name, value]): [string, unknown] => [name, unquoted(value)]),
  );
  if (objectField === undefined) return fields.size === 0 ? undefined : texts;
  try {
    const object: unknown = JSON5.parse(fields.get(objectField) ?? '');
    return isRecord(object) ? { ...texts, [objectField]: object } : undefined;
  } catch {
    return undefined;
  }
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/su.exec(value)?.[2] ?? value;
}

function hasPrototypeField(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > 20) return false;
  return (
    Object.hasOwn(value, '__proto__') ||
    Object.values(value).some((each) => hasPrototypeField(each, depth + 1))
  );
}
