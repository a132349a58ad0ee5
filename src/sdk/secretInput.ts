import { isRecord, normalizeOptionalString } from './textHelpers.ts';
import type { OpenClawConfig } from './types/configTypes.ts';

/** A secret by reference: where it is kept and under which name. */
export interface SecretRef {
  readonly source: 'env' | 'file' | 'exec';
  readonly provider: string;
  readonly id: string;
}

/** A secret in a plugin's settings: the text itself, or a reference. */
export type SecretInput = string | SecretRef;

const sources: readonly unknown[] = ['env', 'file', 'exec'];

export function isSecretRef(value: unknown): value is SecretRef {
  return (
    isRecord(value) &&
    sources.includes(value['source']) &&
    normalizeOptionalString(value['provider']) !== undefined &&
    normalizeOptionalString(value['id']) !== undefined
  );
}

/** `source:provider:id`, the key of a resolved secret. */
export function secretRefKey({ source, provider, id }: SecretRef): string {
  return `${source}:${provider}:${id}`;
}

/** True where a secret is given, as text or by reference. */
export function hasConfiguredSecretInput(value: unknown): boolean {
  return normalizeOptionalString(value) !== undefined || isSecretRef(value);
}

/** The text of a secret that is given as text. */
export function normalizeSecretInputString(value: unknown): string | undefined {
  return normalizeOptionalString(value);
}

/** As `normalizeSecretInputString`, without what a paste brings along: line breaks in the middle. */
export function normalizeSecretInput(value: unknown): string {
  return normalizeOptionalString(value)?.replace(/[\r\n]+/gu, '') ?? '';
}

/** The text of a secret. @throws Error naming `path` where it stands by reference: the host has to resolve it first */
export function normalizeResolvedSecretInputString({
  value,
  path,
}: {
  readonly value: unknown;
  readonly path: string;
}): string | undefined {
  if (isSecretRef(value)) throw new Error(`${path}: unresolved secret reference ${secretRefKey(value)}.`);
  return normalizeOptionalString(value);
}

/**
 * The values of these references by `source:provider:id`. Only environment variables are read: files and programs named by
 * a configuration are no safe place to take secrets from.
 * @throws Error naming the reference where it can't be resolved; never the value
 */
export function resolveSecretRefValues(
  refs: readonly SecretRef[],
  options: {
    readonly config?: OpenClawConfig;
    readonly env?: Readonly<Record<string, string | undefined>>;
  } = {},
): Promise<Map<string, unknown>> {
  const env = options.env ?? process.env;
  return Promise.resolve().then(() => {
    const entries = refs.map((ref): [string, unknown] => [secretRefKey(ref), valueOf(ref, env)]);
    return new Map(entries);
  });
}

function valueOf(ref: SecretRef, env: Readonly<Record<string, string | undefined>>): string {
  if (ref.source !== 'env') {
    throw new Error(
      `Secret reference ${secretRefKey(ref)} is of source "${ref.source}"; only "env" can be read here.`,
    );
  }
  const value = env[ref.id.trim()];
  if (value === undefined || value === '') {
    throw new Error(`Environment variable ${ref.id.trim()} is missing or empty (${secretRefKey(ref)}).`);
  }
  return value;
}

/** How a secret of a channel stands. The host has put its text in place of a reference before a channel starts. */
export function resolveSecretInputString(params: {
  readonly value: unknown;
  readonly [more: string]: unknown;
}):
  | { readonly status: 'available'; readonly value: string }
  | { readonly status: 'missing' | 'configured_unavailable'; readonly value?: undefined } {
  const value = normalizeOptionalString(params.value);
  if (value !== undefined) return { status: 'available', value };
  return { status: isSecretRef(params.value) ? 'configured_unavailable' : 'missing' };
}
