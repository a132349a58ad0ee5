// Threat: HOOK.md is a file from a stranger. It is read with a size limit and as data: no YAML tags, few aliases, no field
// named `__proto__`, no nesting that overflows the stack.
import JSON5 from 'json5';
import { LineCounter, parseDocument } from 'yaml';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';

export type Frontmatter =
  | {
      readonly ok: true;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly warnings: readonly HookFileNote[];
    }
  | { readonly ok: false; readonly message: string; readonly line?: number };

export interface HookFileNote {
  readonly message: string;
  /** 1-based line of HOOK.md. */
  readonly line?: number;
}

const maxFrontmatter = 64_000;
const maxAliases = 50;

/** Reads the block between the two `---` lines at the top of a HOOK.md. Pure. */
export function readFrontmatter(text: string): Frontmatter {
  const lines = text
    .replace(/^\uFEFF/u, '')
    .slice(0, maxFrontmatter)
    .split(/\r\n|\r|\n/u);
  if (lines[0]?.trimEnd() !== '---') {
    return { ok: false, message: 'HOOK.md has no frontmatter: its first line must be ---', line: 1 };
  }
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  if (end === -1) {
    const where = text.length > maxFrontmatter ? ` within ${maxFrontmatter} characters` : '';
    return { ok: false, message: `HOOK.md: its frontmatter has no closing ---${where}`, line: 1 };
  }
  const block = lines.slice(1, end);
  const parsed = parseYaml(block.join('\n'));
  if (parsed.ok) return withWarnings(parsed.fields, []);
  // Line 1 is the opening ---.
  const line = parsed.line === undefined ? 1 : parsed.line + 1;
  const simple = parseSimply(block);
  if (simple === undefined) return { ok: false, message: `HOOK.md: ${parsed.message}`, line };
  return withWarnings(simple, [
    { message: `HOOK.md is no strict YAML (${parsed.message}); it was read anyway`, line },
  ]);
}

function withWarnings(
  fields: Readonly<Record<string, unknown>>,
  warnings: readonly HookFileNote[],
): Frontmatter {
  if (!hasPrototypeField(fields)) return { ok: true, fields, warnings };
  const note = { message: 'HOOK.md has a field named __proto__; it is ignored', line: 1 };
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
 * which YAML refuses, is common. Undefined where this finds no metadata either.
 */
function parseSimply(lines: readonly string[]): Readonly<Record<string, unknown>> | undefined {
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
  try {
    const metadata: unknown = JSON5.parse(fields.get('metadata') ?? '');
    const texts = [...fields].map(([name, value]): [string, unknown] => [name, unquoted(value)]);
    return isRecord(metadata) ? { ...Object.fromEntries(texts), metadata } : undefined;
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
