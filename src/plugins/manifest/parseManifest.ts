// Threat: a manifest is data from a stranger. It is read with a size limit, and nothing in it is used that has not been
// checked. Its texts stand in questions to the user, so they are one line each without hidden characters.

import { isRecord } from '../../base/json.ts';
import { hasHiddenCharacters, inertLine } from '../../base/text.ts';
import type { PluginManifest } from '../pluginTypes.ts';
import { isReservedId } from './isReservedId.ts';
import { manifestPlaces, type PlaceOf } from './manifestPlaces.ts';
import { type ManifestFields, manifestFieldNames, manifestSchema } from './manifestSchema.ts';
import { readManifestText } from './readManifestText.ts';
import { editDistance } from '../../base/editDistance.ts';

const maxProblems = 20;

/** With more fields than that, nobody wrote them by hand. */
const maxKeys = 200;

const optionalFields = manifestSchema.partial();

export const manifestFileName = 'openclaw.plugin.json';
export const maxManifestBytes = 1_000_000;

/** Longer ids can't be told apart in lists, nor as the name of a folder. */
const maxIdLength = 128;

export interface ManifestWarning {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export type ParsedManifest =
  | {
      readonly ok: true;
      readonly manifest: PluginManifest;
      readonly warnings: readonly ManifestWarning[];
      readonly placeOf: PlaceOf;
    }
  | { readonly ok: false; readonly message: string; readonly line?: number; readonly column?: number };

/** Checks the content of an `openclaw.plugin.json` (OpenClaw plugin API, Plugin Manifest Schema). Messages are upstream's. */
export function parseManifest(bytes: Uint8Array): ParsedManifest {
  const read = readManifestText(bytes);
  if (!read.ok) return read;
  const { value, text } = read;
  const placeOf = manifestPlaces(text);
  const refuse = (message: string, path: readonly string[] = []): ParsedManifest => {
    return { ok: false, message, ...placeOf(path) };
  };
  if (!isRecord(value)) return refuse('plugin manifest must be an object');
  const id = typeof value['id'] === 'string' ? value['id'].trim() : '';
  if (id === '') return refuse('plugin manifest requires id', ['id']);
  if (id.length > maxIdLength)
    return refuse(`plugin manifest id has more than ${maxIdLength} characters`, ['id']);
  if (isReservedId(id)) return refuse(`plugin manifest id "${id}" is reserved`, ['id']);
  if (hasHiddenCharacters(id) || /\s/u.test(id))
    return refuse('plugin manifest id has white space or hidden characters', ['id']);
  const { configSchema } = value;
  if (!isRecord(configSchema)) return refuse('plugin manifest requires configSchema', ['configSchema']);
  const { fields, problems, unknown } = readManifestFields(value);
  const odd = problems.map(({ message, path }) => ({ message: inertLine(message, 300), ...placeOf(path) }));
  return {
    ok: true,
    manifest: { ...toManifest(id, configSchema, fields), ...(unknown.length === 0 ? {} : { unknown }) },
    warnings: [...read.warnings.map((message) => ({ message, line: 1 })), ...odd],
    placeOf,
  };
}

function toManifest(
  id: string,
  configSchema: Record<string, unknown>,
  fields: ManifestFields,
): PluginManifest {
  const { name, description, version, kind = [], contracts } = fields;
  const { toolMetadata, activation, commandAliases, setup, requiresPlugins } = fields;
  return {
    id,
    configSchema,
    kind: typeof kind === 'string' ? [kind] : kind,
    enabledByDefault:
      fields.enabledByDefault === true ||
      fields.enabledByDefaultOnPlatforms?.includes(process.platform) === true,
    uiHints: fields.uiHints ?? {},
    channels: fields.channels ?? [],
    providers: fields.providers ?? [],
    skills: fields.skills ?? [],
    ...(fields.mcpServers === undefined ? {} : { mcpServers: fields.mcpServers }),
    contractTools: contracts?.tools ?? [],
    contracts: listsOf(contracts),
    ...(name === undefined ? {} : { name: inertLine(name, 80) }),
    ...(description === undefined ? {} : { description: inertLine(description, 500) }),
    ...(version === undefined ? {} : { version: inertLine(version, 60) }),
    ...(toolMetadata === undefined ? {} : { toolMetadata }),
    ...(activation === undefined ? {} : { activation }),
    ...(commandAliases === undefined
      ? {}
      : { commandAliases: commandAliases.map((each) => (typeof each === 'string' ? { name: each } : each)) }),
    ...(requiresPlugins === undefined ? {} : { requiresPlugins }),
    ...(setup === undefined ? {} : { setup }),
  };
}

function listsOf(contracts: ManifestFields['contracts']): Readonly<Record<string, readonly string[]>> {
  const lists = Object.entries(contracts ?? {}).flatMap(([name, list]): [string, readonly string[]][] =>
    Array.isArray(list) ? [[name, list.filter((each) => typeof each === 'string')]] : [],
  );
  return Object.fromEntries(lists);
}

/** Something in a manifest that was left out or looks like a slip. */
interface ManifestProblem {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/**
 * What a manifest says besides its id and schema. What has the wrong type counts as absent, as upstream has it, but here it
 * is named. Changes nothing in `manifest`.
 */
function readManifestFields(manifest: Readonly<Record<string, unknown>>): {
  readonly fields: ManifestFields;
  readonly problems: readonly ManifestProblem[];
  /** Keys that mean nothing here and are no slips. */
  readonly unknown: readonly string[];
} {
  const slips = misspelled(manifest);
  const problems = [...slips];
  const fields: Record<string, unknown> = {};
  for (const name of manifestFieldNames) {
    const value = Object.hasOwn(manifest, name) ? manifest[name] : undefined;
    if (value === undefined || value === null) continue;
    const read = readField(name, structuredClone(value));
    if (read.value !== undefined) fields[name] = read.value;
    problems.push(...read.problems);
  }
  const kept = problems.slice(0, maxProblems);
  if (problems.length > maxProblems) {
    kept.push({
      message: `plugin manifest: ${problems.length - maxProblems} more fields are ignored`,
      path: [],
    });
  }
  const unknown = Object.keys(manifest)
    .filter((key) => !manifestFieldNames.includes(key) && !slips.some(({ path }) => path[0] === key))
    .slice(0, maxProblems);
  return { fields, problems: kept, unknown };
}

interface ReadField {
  readonly value: unknown;
  readonly problems: readonly ManifestProblem[];
}

/** Takes out what does not fit, piece by piece, until the rest does. */
function readField(name: string, value: unknown): ReadField {
  /** The last one first. */
  const problems: ManifestProblem[] = [];
  const holder: Record<string, unknown> = { [name]: value };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const result = optionalFields.safeParse(holder);
    if (result.success) {
      return {
        value: (result.data as Readonly<Record<string, unknown>>)[name],
        problems: problems.reverse(),
      };
    }
    for (const { path, message } of result.error.issues.toReversed()) {
      const at = path.filter((part) => typeof part !== 'symbol');
      // A piece that is missing spoils what it is missing in.
      const target = attempt === 2 ? [name] : valueAt(holder, at) === undefined ? at.slice(0, -1) : at;
      problems.push({ path: at, message: `plugin manifest: ${pathText(at)} is ignored (${message})` });
      remove(holder, target.length === 0 ? [name] : target);
    }
  }
  return { value: undefined, problems: problems.reverse() };
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined,
    value,
  );
}

/** Last issues first, so that removing from a list does not move what is still to be removed. */
function remove(root: Record<string, unknown>, path: readonly (string | number)[]): void {
  const parent = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (Array.isArray(parent) && typeof key === 'number') parent.splice(key, 1);
  else if (isRecord(parent) && key !== undefined) Reflect.deleteProperty(parent, key);
}

/** Unknown fields are fine, upstream has many; one that nearly has a known name is a slip. */
function misspelled(manifest: Readonly<Record<string, unknown>>): readonly ManifestProblem[] {
  const keys = Object.keys(manifest);
  if (keys.length > maxKeys) return [];
  return keys.flatMap((key) => {
    if (manifestFieldNames.includes(key) || key.length < 4 || key.length > 40) return [];
    const meant = manifestFieldNames.find(
      (name) => name.length >= 4 && editDistance(key.toLowerCase(), name.toLowerCase()) <= 1,
    );
    if (meant === undefined) return [];
    return [{ path: [key], message: `plugin manifest: unknown field "${key}"; did you mean "${meant}"?` }];
  });
}

function pathText(path: readonly (string | number)[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./u, '');
}
