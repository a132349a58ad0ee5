// Threat: front matter is whatever a file says. Nested aliases can grow to gigabytes when they are resolved, and deep nesting ends
// in a stack overflow; so a large one is text, aliases are refused, and what cannot be read gives no fields.
import { parseDocument } from 'yaml';

/** What the YAML at the head of a note says of it. */
export interface FrontMatter {
  readonly title?: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  /** ISO day. */
  readonly date?: string;
}

export interface ReadFrontMatter {
  readonly fields: FrontMatter;
  /** Lines that it takes, the marks included; 0 where there is none. */
  readonly length: number;
  /** True where it holds more than the fields: other keys, or something that is no YAML. */
  readonly saysMore: boolean;
}

const maxLines = 500;
const maxCharacters = 20_000;
const maxValues = 100;
const none: FrontMatter = { tags: [], aliases: [] };
const known = new Set(['title', 'tags', 'tag', 'aliases', 'alias', 'date']);

/** Reads the front matter of a file's lines. Nothing that it holds is an error. */
export function readFrontMatter(lines: readonly string[]): ReadFrontMatter {
  const length = frontMatterLength(lines);
  if (length === 0) return { fields: none, length, saysMore: false };
  const source = lines.slice(1, length - 1).join('\n');
  if (source.trim() === '') return { fields: none, length, saysMore: false };
  const values = parseYaml(source);
  if (values === undefined) return { fields: none, length, saysMore: true };
  return {
    fields: fieldsOf(values),
    length,
    saysMore: Object.keys(values).some((key) => !known.has(key.toLowerCase())),
  };
}

function frontMatterLength(lines: readonly string[]): number {
  if (lines[0]?.replace(/^\uFEFF/u, '').trimEnd() !== '---') return 0;
  let characters = 0;
  for (let at = 1; at < Math.min(lines.length, maxLines); at += 1) {
    const line = lines[at] ?? '';
    characters += line.length;
    if (characters > maxCharacters) return 0;
    if (/^(?:---|\.\.\.)\s*$/u.test(line)) return at + 1;
  }
  return 0;
}

/** The mapping that a YAML text holds; undefined where it is anything else. */
function parseYaml(source: string): Record<string, unknown> | undefined {
  try {
    const document = parseDocument(source, { logLevel: 'silent', uniqueKeys: false, merge: false });
    if (document.errors.length > 0) return undefined;
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return isMapping(value) ? value : undefined;
  } catch (error) {
    // What the parser throws says that this is no front matter, not that the file could not be read.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(values: Record<string, unknown>): FrontMatter {
  const lower = new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
  const title = textOf(lower.get('title'));
  const date = /^\d{4}-\d{2}-\d{2}(?!\d)/u.exec(textOf(lower.get('date')) ?? '')?.[0];
  return {
    tags: listOf(lower.get('tags') ?? lower.get('tag'), /[\s,]+/u).map((tag) => tag.replace(/^#/u, '')),
    aliases: listOf(lower.get('aliases') ?? lower.get('alias'), /,/u),
    ...(title === undefined ? {} : { title }),
    ...(date === undefined || Number.isNaN(Date.parse(date)) ? {} : { date }),
  };
}

/** A value as one line; undefined for one that is none. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const text = String(value).replace(/\s+/gu, ' ').trim().slice(0, 500);
  return text === '' ? undefined : text;
}

/** The texts of a list, or of a line that names several. */
function listOf(value: unknown, separator: RegExp): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : (textOf(value)?.split(separator) ?? []);
  return values
    .slice(0, maxValues)
    .map(textOf)
    .filter((text) => text !== undefined);
}
