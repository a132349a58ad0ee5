// Threat: a pattern that takes exponential or quadratic time lets one long tool result freeze the editor. So every pattern
// starts at the boundary of its own character class, and nothing that can fail follows an unbounded run: each character is
// looked at a fixed number of times.
import { isFiller, isPlainHeader, isPlainValue } from './isPlainText.ts';

/** One kind of secret. What the group `secret` matches is replaced by `[redacted: name]`; the rest of the match stays. */
export interface SecretRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** What is recognisably no secret stays (rulings D5). `after` is the text behind the match. */
  readonly spares: (value: string, after: string) => boolean;
}

const keyName =
  '(?:passw(?:or)?d|passphrase|pwd|secret|credential|token|(?:api|access|auth|account|private|encryption|signing|master)[_-]?key)';
const assign = '["\'\\]\\\\]{0,4}[ \\t]{0,8}[:=]{1,3}>?[ \\t]{0,8}';

/** `password = …`, with what opens the value and what the value is made of. */
function assigned(open: string, value: string): RegExp {
  return new RegExp(`(?<before>${keyName}${assign}${open})(?<secret>${value})`, 'gi');
}

/** A field of this name holds a secret, whatever its value looks like. */
export const secretField = new RegExp(`${keyName}$`, 'i');

const shapes: Readonly<Record<string, RegExp>> = {
  'json web token': /(?<![\w-])(?<secret>eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*){1,3})/gu,
  'github token': /(?<![A-Za-z0-9])(?<secret>gh[pousr]_[A-Za-z0-9]{36,})/gu,
  'github fine-grained token': /(?<!\w)(?<secret>github_pat_\w{22,})/gu,
  'gitlab token':
    /(?<![\w-])(?<secret>gl(?:pat|dt|rt|ft|soat|cbt|ptt|oas|imt|agent)-[\w-]{20,}(?:\.[\w-]+)*)/gu,
  'aws access key': /(?<![A-Za-z0-9])(?<secret>(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})(?![A-Za-z0-9])/gu,
  'anthropic key': /(?<![\w-])(?<secret>sk-ant-[\w-]{20,})/gu,
  'openai key': /(?<![\w-])(?<secret>sk-(?:proj-|svcacct-|admin-)[\w-]{20,}|sk-[A-Za-z0-9]{32,})/gu,
  'google api key': /(?<![\w-])(?<secret>AIza[\w-]{35,})/gu,
  'google oauth secret': /(?<![\w-])(?<secret>GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})/gu,
  'slack token': /(?<![\w-])(?<secret>xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{20,})/gu,
  'slack webhook': /(?<=hooks\.slack\.com\/(?:services|workflows)\/)(?<secret>[\w/]{20,})/gu,
  'stripe key': /(?<![A-Za-z0-9])(?<secret>[sr]k_(?:live|test)_[A-Za-z0-9]{16,})/gu,
  'npm token': /(?<![A-Za-z0-9])(?<secret>npm_[A-Za-z0-9]{36,})/gu,
  'pypi token': /(?<![\w-])(?<secret>pypi-[\w-]{50,})/gu,
  'hugging face token': /(?<![A-Za-z0-9])(?<secret>hf_[A-Za-z0-9]{30,})/gu,
  'sendgrid key': /(?<![\w-])(?<secret>SG\.[\w-]{16,}\.[\w-]{16,})/gu,
  'digitalocean token': /(?<![A-Za-z0-9])(?<secret>do[opr]_v1_[a-f0-9]{64,})/gu,
  'vault token': /(?<![\w-])(?<secret>hv[sbr]\.[\w-]{24,})/gu,
  'shopify token': /(?<![A-Za-z0-9])(?<secret>shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,})/gu,
};

const shaped = Object.entries(shapes).map(([name, pattern]): SecretRule => ({
  name,
  pattern,
  spares: isFiller,
}));

/** All kinds that are known, in the order they are looked for: the more specific first. */
export const secretRules: readonly SecretRule[] = [
  {
    name: 'private key',
    pattern:
      /(?<before>-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----)(?<secret>[^-]+(?:-[^-]+){0,8})(?=-----END )/gu,
    spares: hasNoKeyMaterial,
  },
  {
    // Cut off, as in a page of a file or an output with a limit.
    name: 'private key',
    pattern:
      /(?<before>-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----)(?<secret>[A-Za-z0-9+/=\s\\]{64,})/gu,
    spares: hasNoKeyMaterial,
  },
  ...shaped,
  {
    name: 'password',
    pattern:
      /(?<before>(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/"'<>]{0,200}:)(?<secret>[^\s@/"'<>]+)(?=@)/gi,
    spares: (value, after) =>
      isFiller(value) || isWeakDefault(value) || /^@(?:[\w-]+\.){0,4}example\.\w/u.test(after),
  },
  {
    name: 'authorization header',
    pattern:
      /(?<before>authorization["'\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}["'`\\]{0,2}(?:(?:bearer|basic|token|digest|negotiate)[ \t]{1,4})?)(?<secret>[\w.~+/=-]{8,})/gi,
    spares: isPlainHeader,
  },
  {
    name: 'bearer token',
    pattern: /(?<before>(?<![\w-])bearer[ \t]{1,4})(?<secret>[\w.~+/=-]{16,})/gi,
    spares: isPlainHeader,
  },
  {
    name: 'secret value',
    pattern: assigned('"', '(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n]){4,2000}'),
    spares: isPlainValue,
  },
  {
    name: 'secret value',
    pattern: assigned("'", "(?:[^'\\\\\\r\\n]|\\\\[^\\r\\n]){4,2000}"),
    spares: isPlainValue,
  },
  { name: 'secret value', pattern: assigned('\\\\"', '[^"\\\\\\r\\n]{4,2000}'), spares: isPlainValue },
  { name: 'secret value', pattern: assigned('', '[^\\s"\'`\\\\,;<>&|)}\\]]{4,}'), spares: isPlainValue },
];

/** Everything that is long enough to be a key, hashes and plain words included; for `strict`. */
export const strictRule: SecretRule = {
  name: 'long token',
  pattern: /(?<![\w-])(?<secret>[\w-]{32,})/gu,
  spares: () => false,
};

function hasNoKeyMaterial(value: string): boolean {
  return isFiller(value) || !/[A-Za-z0-9+/]{32}/u.test(value);
}

/** What every tutorial and every local database uses. */
function isWeakDefault(value: string): boolean {
  return /^(?:pass|password|passwd|pwd|pw|secret|postgres|root|admin|user|mysql|guest|test)$/iu.test(value);
}
