// Threat: a key that a plugin writes into its code or settings must not end up in a message. Nothing here puts a value into
// a text; only names of variables are named.
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';

interface ProviderKey {
  /** Undefined where there is none. */
  readonly value: string | undefined;
  /** Variables that would hold it, the first one preferred; empty where the provider names none. */
  readonly variables: readonly string[];
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The key of a plugin's provider: from the environment by the names that the provider lists (`envVars`), else its own
 * `apiKey`, which is a value, the name of a variable, `${NAME}` or `{ source: 'env', id: 'NAME' }`, as upstream writes
 * it. Pure.
 */
export function providerKey(envVars: unknown, apiKey: unknown, env: Env): ProviderKey {
  const listed = (Array.isArray(envVars) ? (envVars as readonly unknown[]) : []).filter(isVariableName);
  const named = variableOf(apiKey);
  const variables = named === undefined || listed.includes(named) ? listed : [named, ...listed];
  const fromEnv = variables
    .map((name) => env[name]?.trim())
    .find((value) => value !== undefined && value !== '');
  const own =
    named === undefined && typeof apiKey === 'string' && apiKey.trim() !== '' ? apiKey.trim() : undefined;
  return { value: fromEnv ?? own, variables: variables.map((name) => inertLine(name, 60)) };
}

function variableOf(apiKey: unknown): string | undefined {
  if (typeof apiKey === 'string') {
    const name = /^\$\{(\w+)\}$/u.exec(apiKey.trim())?.[1] ?? apiKey.trim();
    return isVariableName(name) ? name : undefined;
  }
  const isReference = isRecord(apiKey) && apiKey['source'] === 'env';
  return isReference && isVariableName(apiKey['id']) ? apiKey['id'] : undefined;
}

function isVariableName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z][A-Z0-9_]*_[A-Z0-9_]+$/u.test(value);
}
