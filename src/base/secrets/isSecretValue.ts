import type { SecretKind } from './secretFields.ts';

interface ValueFacts {
  readonly kind: SecretKind;
  /** False in code and configuration where it may be a name. */
  readonly quoted: boolean;
}

/** What stands for a value: variables, placeholders, marks, references to vaults, paths and addresses, checksums, data. */
const placeholder =
  /^(?:[$<{%[]|[*xX.•_-]+$|(?:\.{0,2}|~)\/|[a-z][a-z\d+.-]{0,20}:\/\/|(?:env|file|vault|data|arn|urn|secret):|sha\d{1,3}[-:])/u;

/** A name in code, or one inside of another: `config.password`. */
const path = /^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/u;

/** True where what is assigned to the name of a secret is one, as far as its form tells. Pure. */
export function isSecretValue(value: string, { kind, quoted }: ValueFacts): boolean {
  const isPassword = kind === 'password';
  if (value.length < (isPassword ? 6 : 8)) return false;
  if (!(isPassword ? /\d|[^\w./:-]/u.test(value) : looksMade(value))) return false;
  if (placeholder.test(value) || /\s/u.test(value)) return false;
  if (!quoted && path.test(value) && value.split(/[?.]+/u).every(isReadable)) return false;
  return isPassword || (/[A-Za-z]/u.test(value) && !isReadable(value));
}

/** A key without a digit is long and mixes its letters. */
function looksMade(value: string): boolean {
  return /\d/u.test(value) || (value.length >= 16 && /[a-z][A-Z]|[A-Z]{2}[a-z]/u.test(value));
}

/**
 * True for what is made of words: `implementation_details`, `useApiKeyV2`, `main-branch-2024`. Random letters change between cases
 * and digits at every other place. Pure.
 */
function isReadable(value: string): boolean {
  const digits = value.match(/\d+/gu)?.length ?? 0;
  const words = value.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/gu) ?? [];
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return digits <= 2 && words.length > 0 && letters / words.length >= 3;
}
