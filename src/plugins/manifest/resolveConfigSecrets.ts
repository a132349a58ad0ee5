// Threat: keys in a config file end up in backups, screenshots and commits, so a plugin's settings name them instead. And a
// cloned repository may bring settings that name the user's keys, to have a plugin send them elsewhere: what a workspace
// says is never resolved.
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Secrets } from '../../host/ports.ts';

/** Where secrets are kept. */
export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: Pick<Secrets, 'get'>;
}

type ResolvedConfig =
  /** `values` are the secrets that now stand in `config`; they must not be shown. */
  | { readonly ok: true; readonly config: unknown; readonly values: readonly string[] }
  /** `path: what is missing`; never a value. */
  | { readonly ok: false; readonly problems: readonly string[] };

export interface SecretContext {
  readonly sources: SecretSources;
  /** The plugin's `configSchema`: where it describes an object with a field `env`, such an object is no reference. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** False where the settings come from the workspace. */
  readonly mayResolve: boolean;
}

type Reference =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'unsupported'; readonly name: string };

const maxDepth = 100;

/**
 * Puts secrets where a plugin's settings refer to them: `{ "env": "NAME" }`, `{ "secret": "name" }`, and upstream's
 * `{ "source": "env", "provider": "default", "id": "NAME" }`. Never rejects; `config` stays as it is.
 */
export async function resolveConfigSecrets(config: unknown, context: SecretContext): Promise<ResolvedConfig> {
  const problems: string[] = [];
  const values: string[] = [];
  const visit = async (value: unknown, path: readonly string[], schema: unknown): Promise<unknown> => {
    if (typeof value !== 'object' || value === null || path.length > maxDepth) return value;
    const reference = isRecord(value) ? referenceIn(value, schema) : undefined;
    if (reference !== undefined) {
      const found = await look(reference, context);
      if ('problem' in found) problems.push(`${path.join('.') || '<root>'}: ${found.problem}`);
      else values.push(found.value);
      return 'value' in found ? found.value : value;
    }
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const [index, each] of value.entries())
        items.push(await visit(each, [...path, String(index)], fieldOf(schema, 'items')));
      return items;
    }
    const fields: [string, unknown][] = [];
    for (const [key, each] of Object.entries(value))
      fields.push([key, await visit(each, [...path, key], fieldOf(fieldOf(schema, 'properties'), key))]);
    return Object.fromEntries(fields);
  };
  const resolved = await visit(config, [], context.schema);
  return problems.length === 0 ? { ok: true, config: resolved, values } : { ok: false, problems };
}

function referenceIn(value: Readonly<Record<string, unknown>>, schema: unknown): Reference | undefined {
  const keys = Object.keys(value);
  const { env, secret, source, id } = value;
  if (typeof source === 'string' && typeof id === 'string') {
    const isReference = keys.every((key) => ['source', 'provider', 'id'].includes(key));
    if (!isReference || !['env', 'file', 'exec'].includes(source)) return undefined;
    return source === 'env' ? { kind: 'env', name: id } : { kind: 'unsupported', name: `${source} ${id}` };
  }
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || describes(schema, key)) return undefined;
  if (typeof env === 'string') return { kind: 'env', name: env };
  return typeof secret === 'string' ? { kind: 'secret', name: secret } : undefined;
}

function describes(schema: unknown, key: string): boolean {
  return fieldOf(fieldOf(schema, 'properties'), key) !== undefined;
}

function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

async function look(
  { kind, name }: Reference,
  { sources, mayResolve }: SecretContext,
): Promise<{ readonly value: string } | { readonly problem: string }> {
  const what = kind === 'env' ? `environment variable ${name}` : `secret "${name}"`;
  if (!mayResolve) return { problem: `${what} is not read: only your own config may refer to secrets` };
  if (kind === 'unsupported')
    return {
      problem: `secret reference ${name} is not supported; use { "secret": "name" } or { "env": "NAME" }`,
    };
  try {
    const value = kind === 'env' ? ownValue(sources.env, name) : await sources.secrets.get(name);
    return value === undefined || value === '' ? { problem: `${what} is not set` } : { value };
  } catch (error) {
    return { problem: `${what} could not be read: ${errorMessage(error)}` };
  }
}

function ownValue(env: SecretSources['env'], name: string): string | undefined {
  // Windows has its environment in an object that ignores case, so that `hasOwn` would miss names.
  const value: unknown = env[name];
  return typeof value === 'string' ? value : undefined;
}
