import { modelFailure } from '../models/modelFailure.ts';
import type { ModelApi } from '../models/providers/providerCatalog.ts';

/** A key as the user gave it: itself, or the environment variable that holds it. */
export type KeyInput = { readonly value: string } | { readonly env: string };

/** A model server that the user is about to add. */
export interface ServerInput {
  readonly api: ModelApi;
  /** Up to and including the version. */
  readonly baseUrl: string;
  readonly key?: KeyInput;
}

/** The key itself. @throws PincerError `model_no_key` where the variable is empty */
export function readKeyInput(key: KeyInput, env: Readonly<Record<string, string | undefined>>): string {
  if ('value' in key) return key.value;
  const value = env[key.env]?.trim() ?? '';
  if (value !== '') return value;
  throw modelFailure('model_no_key', `The environment variable ${key.env} is empty.`, {
    hint: 'Enter the key, or set the variable and start again.',
  });
}
