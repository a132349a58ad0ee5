/** Longer values are never taken for words or code. */
const maxPlain = 200;

const fillers =
  /example|placeholder|change[_-]?me|replace[_-]?(?:me|this|with)|your[_-]|dummy|redacted|insert[_-]|1234567890|abcdefghij|\$\{|\{\{|\$\(|<[^>]{0,100}>|(.)\1{5}/isu;

/** True for what stands where a secret will: `<your-key>`, `xxxx`, `${TOKEN}`, values of documentation. */
export function isFiller(value: string): boolean {
  return fillers.test(value) || /^(?:[<[{$%]|\*|(.)\1*$)/su.test(value);
}

/** As above, or an ordinary word where a header would have its credentials. */
export function isPlainHeader(value: string): boolean {
  return isFiller(value) || (value.length <= maxPlain && plainWords.some((form) => form.test(value)));
}

/** `credentials`, `auth-scheme.`, `FederatedToken`. */
const plainWords: readonly RegExp[] = [
  /^[A-Z]?[a-z]+(?:[-_.][a-z]+)*[.]?$/u,
  /^[A-Z]?[a-z]{3,}(?:[A-Z][a-z]{2,})*$/u,
];

/** Values that follow a name such as `password` and are no secret. Hashes and UUIDs are: their own name says so. */
export function isPlainValue(value: string): boolean {
  if (isFiller(value)) return true;
  return value.length <= maxPlain && plainForms.some((form) => form.test(value));
}

const plainForms: readonly RegExp[] = [
  // Words, names of variables, types.
  /^[A-Za-z][A-Za-z_.\- ?!|]*$/u,
  // Numbers too short for a secret: limits, counts, prices.
  /^-?[\d.,_]{1,7}$/u,
  // Versions and ranges of packages whose name ends like a key's.
  /^[\^~<>=v ]{0,4}\d+\.\d+(?:\.[\dx*]+)?(?:-[\w.]+)?$/u,
  // What follows a quote that closed a text: `('password:', value)`.
  /^[\s,;:)\]}+]/u,
  // Expressions in code.
  /^(?:\(|!{1,2}[A-Za-z_$][\w$]*\.|\d+\/\*|[A-Za-z_]\w*\$\d+$)/u,
  // Calls and lookups in code.
  /^[A-Za-z_$][\w$.?]*[([]/u,
  // Members of something: `config.v2.token`.
  /^[A-Za-z_$][\w$?]*(?:\.[A-Za-z_$][\w$?]*)*\.[A-Za-z_$]+$/u,
  /^(?:process|os|env|vault|secrets?|vars?|config|settings|this|self|args|options|props|params|req|request)[.:[]/u,
  // Files and addresses; credentials inside an address have a rule of their own.
  /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)/u,
  /^[a-z][a-z0-9+.-]*:\/\//iu,
  // Names of types, encodings and algorithms that have a digit in them.
  /^(?:u?int\d+(?:array)?|float\d+|sha-?\d+|md5|utf-?\d+|base\d+|oauth2?|[hrep]s\d{3}|aes-?\d+[\w-]*)$/iu,
];
