import JSON5 from 'json5';
import { isRecord } from '../../base/json.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { readFrontmatter, type FrontmatterNote } from '../../base/readFrontmatter.ts';
import { hasHiddenCharacters, inertLine } from '../../base/text.ts';
import type { HookManifest } from './operatorHookTypes.ts';

export const hookFileName = 'HOOK.md';
export const maxHookFileBytes = 1_000_000;

type ParsedHookFile =
  | { readonly ok: true; readonly manifest: HookManifest; readonly warnings: readonly FrontmatterNote[] }
  | { readonly ok: false; readonly message: string; readonly line?: number };

const maxName = 80;

/** Checks the text of a HOOK.md. Metadata may be YAML, JSON, or a text that holds JSON5 (upstream's format). Pure. */
export function parseHookFile(text: string): ParsedHookFile {
  const read = readFrontmatter(text, { fileName: hookFileName, objectField: 'metadata' });
  if (!read.ok) return read;
  const lineOf = (word: string): number => lineWith(text, word);
  const refuse = (message: string, word: string): ParsedHookFile => ({
    ok: false,
    message: `HOOK.md: ${message}`,
    line: lineOf(word),
  });
  const { fields } = read;
  const name = textOf(fields['name']);
  if (name !== undefined && name.length > maxName)
    return refuse(`its name has more than ${maxName} characters`, 'name');
  if (name !== undefined && hasHiddenCharacters(name))
    return refuse('its name has hidden characters', 'name');
  const metadata = readMetadata(fields['metadata']);
  if (typeof metadata === 'string') return refuse(metadata, 'metadata');
  const { value, warnings } = readFields(metadata);
  const description = textOf(fields['description']) ?? '';
  const homepage = value.homepage ?? textOf(fields['homepage']);
  return {
    ok: true,
    manifest: {
      ...value,
      description: inertLine(description, 500),
      ...(name === undefined ? {} : { name }),
      ...(homepage === undefined ? {} : { homepage: inertLine(homepage, 300) }),
    },
    warnings: [
      ...read.warnings,
      ...warnings.map((message) => ({ message: `HOOK.md: ${message}`, line: lineOf('metadata') })),
    ],
  };
}

/** The object that is meant for us; a text says what is wrong. Upstream's earlier names count too. */
function readMetadata(raw: unknown): Readonly<Record<string, unknown>> | string {
  if (raw === undefined) return {};
  let metadata = raw;
  if (typeof raw === 'string') {
    try {
      metadata = JSON5.parse(raw);
    } catch {
      return 'its metadata is a text that is no JSON5';
    }
  }
  if (!isRecord(metadata)) return 'its metadata is no object';
  const fields = metadata;
  const own = ['openclaw', 'clawdbot', 'moltbot'].find((key) => Object.hasOwn(fields, key));
  if (own === undefined) return {};
  const value = fields[own];
  return isRecord(value) ? value : `metadata.${own} is no object`;
}

const known = [
  'always',
  'emoji',
  'events',
  'export',
  'homepage',
  'hookKey',
  'install',
  'os',
  'primaryEnv',
  'requires',
];
const knownRequirements = ['bins', 'anyBins', 'env', 'config'];

function readFields(metadata: Readonly<Record<string, unknown>>): {
  readonly value: Omit<HookManifest, 'name' | 'description'>;
  readonly warnings: readonly string[];
} {
  const warnings: string[] = [...unknownFields(metadata, known, 'metadata.openclaw')];
  const list = (of: Readonly<Record<string, unknown>>, key: string): readonly string[] => {
    const read = listOf(of[key]);
    if (read.isOdd) warnings.push(`"${key}" holds what is no text; it is ignored`);
    return read.texts;
  };
  const given = metadata['requires'];
  if (given !== undefined && !isRecord(given)) warnings.push('"requires" is no object; it is ignored');
  const requires = isRecord(given) ? given : {};
  warnings.push(...unknownFields(requires, knownRequirements, 'requires'));
  const always = metadata['always'];
  if (always !== undefined && typeof always !== 'boolean')
    warnings.push('"always" is neither true nor false; it is ignored');
  const [emoji, homepage, hookKey] = ['emoji', 'homepage', 'hookKey'].map((key) => textOf(metadata[key]));
  return {
    value: {
      events: list(metadata, 'events'),
      exportName: textOf(metadata['export']) ?? 'default',
      os: list(metadata, 'os'),
      always: always === true,
      requires: {
        bins: list(requires, 'bins'),
        anyBins: list(requires, 'anyBins'),
        env: list(requires, 'env'),
        config: list(requires, 'config'),
      },
      ...(emoji === undefined ? {} : { emoji: inertLine(emoji, 8) }),
      ...(homepage === undefined ? {} : { homepage: inertLine(homepage, 300) }),
      ...(hookKey === undefined ? {} : { hookKey }),
    },
    warnings,
  };
}

function unknownFields(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
  where: string,
): readonly string[] {
  return Object.keys(fields)
    .filter((key) => key !== '__proto__' && !names.includes(key))
    .slice(0, 5)
    .map((key) => {
      const nearest = nearestFirst(key.slice(0, 40), names)[0] ?? '';
      return `${where} has no field "${inertLine(key, 40)}"; it is ignored (nearest: ${nearest})`;
    });
}

const maxList = 50;

/** A list of texts, or one text with commas, as upstream reads them. */
function listOf(value: unknown): { readonly texts: readonly string[]; readonly isOdd: boolean } {
  if (value === undefined || value === null) return { texts: [], isOdd: false };
  const parts: readonly unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
  const texts = parts.flatMap((each) =>
    typeof each === 'string' && each.trim() !== '' ? [each.trim()] : [],
  );
  const isOdd = parts.some((each) => typeof each !== 'string') || parts.length > maxList;
  return { texts: texts.slice(0, maxList), isOdd };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** 1-based line where the field stands; 1 where it does not. */
function lineWith(text: string, field: string): number {
  return text.split('\n').findIndex((line) => line.startsWith(`${field}:`)) + 1 || 1;
}
