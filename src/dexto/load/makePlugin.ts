import { dirname } from 'node:path';
import { copyData } from '../../base/untrusted.ts';
import { missingSymbol } from '../../plugins/openclaw/missingSymbol.ts';
import { isConstructible, type PluginExport, type PluginFactory } from './findPluginExport.ts';
import type { DextoCode } from './loadTypes.ts';
import { isRecord } from '../../base/json.ts';

/** What an export made, and the settings as it reads them. */
type MadePlugin =
  | { readonly ok: true; readonly made: unknown; readonly config: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/**
 * Makes the plugin, once. A class gets no arguments (Dexto plugin specification, Plugin Validation); functions and factories of later versions get
 * the settings and what is known of the agent.
 * @throws whatever the plugin's code throws
 */
export function makePlugin(
  found: PluginExport,
  { entry, agentFile }: Pick<DextoCode, 'entry' | 'agentFile'>,
): MadePlugin {
  const { config } = entry;
  if (found.kind === 'class') return { ok: true, made: Reflect.construct(found.make, []), config };
  const context = contextFor(entry.name, agentFile);
  if (found.kind === 'function') {
    const { make } = found;
    const args = [copyData(config), context] as const;
    // A function that fills `this`, as classes were once written; one that returns an object gives that all the same.
    const made: unknown = isConstructible(make)
      ? Reflect.construct(make as unknown as new () => unknown, args)
      : make(...args);
    return { ok: true, made, config };
  }
  const settings = readFactorySettings(found.make, copyData(config), entry.name);
  if (!settings.ok) return settings;
  const parsed = settings.config as Readonly<Record<string, unknown>>;
  return { ok: true, made: found.make.create(copyData(parsed), context), config: parsed };
}

/** Upstream hands its services over here; at this time there is no turn whose services they could be. */
function contextFor(name: string, agentFile: string): unknown {
  const missing = (service: string): unknown => missingSymbol(service, 'the creation context', name);
  return {
    configDir: dirname(agentFile),
    agentEventBus: missing('agentEventBus'),
    storageManager: missing('storageManager'),
  };
}

type FactorySettings =
  { readonly ok: true; readonly config: unknown } | { readonly ok: false; readonly problem: string };

/**
 * Settings as the `configSchema` of a factory reads them; whatever zod it was made with, or anything else that has `safeParse`.
 * Upstream's schemas hold the plugin's `type`, which stands outside of the settings here: it is given where the schema asks for
 * it.
 * @throws whatever the plugin's own code throws
 */
function readFactorySettings(
  { configSchema, type }: PluginFactory,
  config: Readonly<Record<string, unknown>>,
  name: string,
): FactorySettings {
  if (!isSchema(configSchema)) return { ok: true, config };
  const plain = parse(configSchema, config);
  const missing = plain.ok ? undefined : plain.issues.find(({ path }) => String(path[0]) === 'type');
  if (plain.ok || missing === undefined || Object.hasOwn(config, 'type')) return settingsOf(plain);
  return settingsOf(parse(configSchema, { type: type ?? missing.wanted ?? name, ...config }));
}

interface Schema {
  safeParse(value: unknown): unknown;
}

interface Issue {
  readonly path: readonly unknown[];
  readonly message: string;
  /** The one value that would do, where the schema says so. */
  readonly wanted: unknown;
}

type Parsed =
  { readonly ok: true; readonly config: unknown } | { readonly ok: false; readonly issues: readonly Issue[] };

function isSchema(value: unknown): value is Schema {
  return isRecord(value) && typeof value['safeParse'] === 'function';
}

function parse(schema: Schema, value: unknown): Parsed {
  const result = schema.safeParse(value);
  if (isRecord(result) && result['success'] === true) return { ok: true, config: result['data'] };
  const error = isRecord(result) ? result['error'] : undefined;
  const issues = isRecord(error) && Array.isArray(error['issues']) ? error['issues'] : [];
  return { ok: false, issues: issues.filter(isRecord).map(toIssue) };
}

function toIssue({ path, message, expected, values }: Record<string, unknown>): Issue {
  return {
    path: Array.isArray(path) ? path : [],
    message: typeof message === 'string' ? message : 'invalid',
    wanted: Array.isArray(values) ? (values[0] as unknown) : expected,
  };
}

const maxTold = 5;

function settingsOf(parsed: Parsed): FactorySettings {
  if (parsed.ok) return parsed;
  const told = parsed.issues
    .slice(0, maxTold)
    .map(({ path, message }) => `${['config', ...path.map(String)].join('.')}: ${message}`);
  return { ok: false, problem: told.length === 0 ? 'its schema refuses them' : told.join('; ') };
}
