import { isRecord } from '../../base/json.ts';
import type { PluginFactory } from './findPluginExport.ts';

type FactorySettings =
  { readonly ok: true; readonly config: unknown } | { readonly ok: false; readonly problem: string };

/**
 * Settings as the `configSchema` of a factory reads them; whatever zod it was made with, or anything else that has `safeParse`.
 * Upstream's schemas hold the plugin's `type`, which stands outside of the settings here: it is given where the schema asks for
 * it.
 * @throws whatever the plugin's own code throws
 */
export function readFactorySettings(
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
