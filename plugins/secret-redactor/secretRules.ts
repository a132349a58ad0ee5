// Threat: a pattern that takes exponential or quadratic time lets one long tool result freeze the editor. So every pattern
// starts at the boundary of its own character class, and nothing that can fail follows an unbounded run: each character is
// looked at a fixed number of times.
import { fieldEnd, variableEnd } from '../../src/base/secrets/secretFields.ts';
import { secretShapes } from '../../src/base/secrets/secretShapes.ts';
import { isFiller, isPlainHeader, isPlainValue } from './isPlainText.ts';

/** One kind of secret. `[redacted: name]` replaces it. */
export interface SecretRule {
  readonly name: string;
  /** Group `before`, where there is one, stays in front; what follows it is the secret. */
  readonly pattern: RegExp;
  /** What is recognisably no secret stays. `after` is the text behind the match. */
  readonly spares: (value: string, after: string) => boolean;
}

const assign = '["\'\\]\\\\]{0,4}[ \\t]{0,8}[:=]{1,3}>?[ \\t]{0,8}';

/** `password = …`, with what opens the value and what the value is made of. */
function assigned(open: string, value: string): readonly SecretRule[] {
  const rule = (name: string, flags: string): SecretRule => ({
    name: 'secret value',
    pattern: new RegExp(`(?<before>${name}${assign}${open})(?:${value})`, flags),
    spares: isPlainValue,
  });
  return [rule(fieldEnd, 'giu'), rule(variableEnd, 'gu')];
}

/** What is recognisably no secret of its kind; of all others, what stands where one will. */
const sparing: Readonly<Record<string, SecretRule['spares']>> = {
  'private key': hasNoKeyMaterial,
  password: (value, after) =>
    isFiller(value) || isWeakDefault(value) || /^@(?:[\w-]+\.){0,4}example\.\w/u.test(after),
  'authorization header': isPlainHeader,
  'bearer token': isPlainHeader,
};

/** All kinds that are known, in the order they are looked for: the more specific first. */
export const secretRules: readonly SecretRule[] = [
  ...secretShapes.map(({ name, shape }) => ({ name, pattern: shape, spares: sparing[name] ?? isFiller })),
  {
    name: 'authorization header',
    pattern:
      /(?<before>authorization["'\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}["'`\\]{0,2}(?:(?:bearer|basic|token|digest|negotiate)[ \t]{1,4})?)[\w.~+/=-]{8,}/giu,
    spares: isPlainHeader,
  },
  {
    name: 'bearer token',
    pattern: /(?<before>(?<![\w-])bearer[ \t]{1,4})[\w.~+/=-]{16,}/giu,
    spares: isPlainHeader,
  },
  ...assigned('"', '(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n]){4,2000}'),
  ...assigned("'", "(?:[^'\\\\\\r\\n]|\\\\[^\\r\\n]){4,2000}"),
  ...assigned('\\\\"', '[^"\\\\\\r\\n]{4,2000}'),
  ...assigned('', '[^\\s"\'`\\\\,;<>&|)}\\]]{4,}'),
];

/** Everything that is long enough to be a key, hashes and plain words included; for `strict`. */
export const strictRule: SecretRule = {
  name: 'long token',
  pattern: /(?<![\w-])[\w-]{32,}/gu,
  spares: () => false,
};

function hasNoKeyMaterial(value: string): boolean {
  return isFiller(value) || !/[A-Za-z0-9+/]{32}/u.test(value);
}

/** What every tutorial and every local database uses. */
function isWeakDefault(value: string): boolean {
  return /^(?:pass|password|passwd|pwd|pw|secret|postgres|root|admin|user|mysql|guest|test)$/iu.test(value);
}
