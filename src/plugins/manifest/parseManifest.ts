// Threat: a manifest is data from a stranger. It is read with a size limit, and nothing in it is used that has not been
// checked. Its texts stand in questions to the user, so they are one line each without hidden characters.
import { isRecord } from '../../base/json.ts';
import { hasHiddenCharacters, inertLine } from '../../base/text.ts';
import type { PluginManifest } from '../pluginTypes.ts';
import { isReservedId } from './isReservedId.ts';
import { manifestPlaces, type PlaceOf } from './manifestPlaces.ts';
import type { ManifestFields } from './manifestSchema.ts';
import { readManifestFields } from './readManifestFields.ts';
import { readManifestText } from './readManifestText.ts';

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
