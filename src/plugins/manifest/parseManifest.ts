// Threat: a manifest is data from a stranger. It is parsed with a size limit, a field named `__proto__` is dropped, and
// nothing in it is used that this file has not checked.
import { parse as parseJsonc, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { z } from 'zod';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { PluginManifest } from '../pluginTypes.ts';

export const manifestFileName = 'openclaw.plugin.json';
export const maxManifestBytes = 1_000_000;

export type ParsedManifest =
  | { readonly ok: true; readonly manifest: PluginManifest; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly line?: number };

/** Checks the text of an `openclaw.plugin.json` (seed 002, 8). Messages are upstream's. */
export function parseManifest(text: string): ParsedManifest {
  const read = readJson(text);
  if (!read.ok) return read;
  const { value, warnings } = read;
  if (!isRecord(value)) return { ok: false, message: 'plugin manifest must be an object' };
  const id = typeof value['id'] === 'string' ? value['id'].trim() : '';
  if (id === '') return { ok: false, message: 'plugin manifest requires id' };
  if (!isRecord(value['configSchema']))
    return { ok: false, message: 'plugin manifest requires configSchema' };
  const fields = optionalFields.parse(value);
  return { ok: true, manifest: toManifest(id, value['configSchema'], fields), warnings };
}

type Read =
  | { readonly ok: true; readonly value: unknown; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly line?: number };

function readJson(text: string): Read {
  const warnings: string[] = [];
  const dropPrototype = (key: string, value: unknown): unknown => {
    if (key !== '__proto__') return value;
    warnings.push('plugin manifest has a field named __proto__; it is ignored');
    return undefined;
  };
  try {
    return { ok: true, value: JSON.parse(text.replace(/^\uFEFF/u, ''), dropPrototype), warnings };
  } catch (error) {
    const tolerant = readTolerantly(text);
    if (!tolerant.ok)
      return { ...tolerant, message: `failed to parse plugin manifest: ${errorMessage(error)}` };
    const value: unknown = JSON.parse(JSON.stringify(tolerant.value), dropPrototype);
    warnings.unshift('plugin manifest is no strict JSON (comments or trailing commas); it was read anyway');
    return { ok: true, value, warnings };
  }
}

function readTolerantly(
  text: string,
):
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly why: string } {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first === undefined) return { ok: true, value };
  const line = text.slice(0, first.offset).split('\n').length;
  return { ok: false, line, why: printParseErrorCode(first.error) };
}

const optionalText = z.string().trim().min(1).optional().catch(undefined);
const texts = z
  .array(z.unknown())
  .catch([])
  .transform((values) =>
    values.flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [])),
  );
const record = z.record(z.string(), z.unknown()).catch({});

/** A field of the wrong type counts as absent, as upstream has it. */
const optionalFields = z.object({
  name: optionalText,
  description: optionalText,
  version: optionalText,
  kind: z.union([z.string().transform((kind) => [kind]), z.array(z.string())]).catch([]),
  enabledByDefault: z.boolean().catch(false),
  uiHints: record,
  channels: texts,
  providers: texts,
  skills: texts,
  contracts: z.object({ tools: texts }).catch({ tools: [] }),
});

function toManifest(
  id: string,
  configSchema: Record<string, unknown>,
  fields: z.infer<typeof optionalFields>,
): PluginManifest {
  const { name, description, version, contracts, ...rest } = fields;
  return {
    id,
    configSchema,
    ...rest,
    contractTools: contracts.tools,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
  };
}
