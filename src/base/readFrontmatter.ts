// Threat: a HOOK.md or SKILL.md is a file from a stranger. It is read with a size limit and as data: no YAML tags, few aliases, no field
// named `__proto__`, no nesting that overflows the stack.
import JSON5 from 'json5';
import { LineCounter, parseDocument } from 'yaml';
import { errorMessage } from './errors.ts';
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

const maxFrontmatter = 64_000;
const maxAliases = 50;

/** Reads the block between the two `---` lines at the top of a file. Pure. */
export function readFrontmatter(text: string, { fileName, objectField }: FrontmatterOptions): Frontmatter {
  const bare = text.replace(/^\uFEFF/u, '');
  const lines = bare.slice(0, maxFrontmatter).split(lineEnd);
  if (lines[0]?.trimEnd() !== '---') {
    return { ok: false, message: `${fileName} has no frontmatter: its first line must be ---`, line: 1 };
  }
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  if (end === -1) {
    const where = text.length > maxFrontmatter ? ` within ${maxFrontmatter} characters` : '';
    return { ok: false, message: `${fileName}: its frontmatter has no closing ---${where}`, line: 1 };
  }
  const block = lines.slice(1, end);
  const body = bare
    .split(lineEnd)
    .slice(end + 1)
    .join('\n');
  const parsed = parseYaml(block.join('\n'));
  if (parsed.ok) return { ...withWarnings(fileName, parsed.fields, []), body };
  // Line 1 is the opening ---.
  const line = parsed.line === undefined ? 1 : parsed.line + 1;
  const simple = parseSimply(block, objectField);
  if (simple === undefined) return { ok: false, message: `${fileName}: ${parsed.message}`, line };
  const message = `${fileName} is no strict YAML (${parsed.message}); it was read anyway`;
  return { ...withWarnings(fileName, simple, [{ message, line }]), body };
}

const lineEnd = /\r\n|\r|\n/u;

function withWarnings(
  fileName: string,
  fields: Readonly<Record<string, unknown>>,
  warnings: readonly FrontmatterNote[],
): Omit<Extract<Frontmatter, { ok: true }>, 'body'> {
  if (!hasPrototypeField(fields)) return { ok: true, fields, warnings };
  const note = { message: `${fileName} has a field named __proto__; it is ignored`, line: 1 };
  return { ok: true, fields, warnings: [...warnings, note] };
}

type Parsed =
  | { readonly ok: true; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string; readonly line?: number };

function parseYaml(text: string): Parsed {
  try {
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { schema: 'core', lineCounter, prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) {
      const { line } = lineCounter.linePos(error.pos[0]);
      return { ...failed(error.message), ...(line > 0 ? { line } : {}) };
    }
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    return isRecord(value) ? { ok: true, fields: value } : failed('its frontmatter has no fields');
  } catch (error) {
    return failed(errorMessage(error));
  }
}

function failed(message: string): Extract<Parsed, { ok: false }> {
  return { ok: false, message: message.includes('call stack') ? 'it is nested too deep' : message };
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
