/** What its name says it is: people choose passwords, programs make keys. */
export type SecretKind = 'password' | 'key';

interface SecretField {
  readonly kind: SecretKind;
  /** Words of the name, without case; `-` stands for nothing, `_` or `-`. */
  readonly words: readonly string[];
  /**
   * Where the word alone says it: in every name that ends with it, only where a word begins with it (`bypass` is none), or only in the
   * name of an environment variable.
   */
  readonly where: 'any name' | 'own word' | 'variable';
}

/** Names of variables, settings and properties that hold secrets. The one table for texts, JSON and environments. */
const secretFields: readonly SecretField[] = [
  { kind: 'password', where: 'any name', words: ['password', 'passwd', 'passphrase', 'pwd'] },
  { kind: 'password', where: 'own word', words: ['pass', 'psk'] },
  {
    kind: 'key',
    where: 'any name',
    words: [
      'authorization',
      'secret',
      'secrets',
      'token',
      'tokens',
      'credential',
      'credentials',
      'apikey',
      'accesskey',
    ],
  },
  {
    kind: 'key',
    where: 'any name',
    words: [
      'api',
      'access',
      'private',
      'secret',
      'auth',
      'signing',
      'encryption',
      'account',
      'master',
      'pre-shared',
    ].map((word) => `${word}-key`),
  },
  { kind: 'key', where: 'any name', words: ['secret-key-base'] },
  { kind: 'key', where: 'variable', words: ['key', 'keys', 'auth', 'pat', 'creds'] },
];

/** Tokens that let nobody in: they say where a list goes on, or what is to be cancelled. */
const harmlessTokens = [
  'page',
  'next',
  'previous',
  'continuation',
  'cursor',
  'sync',
  'delta',
  'skip',
  'resume',
  'cancel',
  'cancellation',
  'special',
  'stop',
  'max',
  'min',
  'eos',
  'bos',
  'pad',
  'unk',
  'design',
  'start',
  'end',
];

/** `tokens`: whether those that let nobody in count, too. */
const sourceOf = (where: SecretField['where'], kind: SecretKind, tokens: 'secret' | 'all' = 'all'): string =>
  secretFields
    .filter((field) => field.where === where && field.kind === kind)
    .flatMap(({ words }) => words)
    .toSorted((a, b) => b.length - a.length)
    .map((word) => {
      const isSpared = tokens === 'secret' && word.startsWith('token');
      return `${isSpared ? `(?<!(?:${harmlessTokens.join('|')})[_-]?)` : ''}${word.replaceAll('-', '[_-]?')}`;
    })
    .join('|');

/**
 * Finds the end of a name in a text. Group `password` is set where it is one; else it is a key. Without case, but for names of
 * variables, which are written in capitals.
 */
export const fieldEnd = `(?:(?<password>${sourceOf('any name', 'password')}|(?<![a-z])(?:${sourceOf('own word', 'password')}))|${sourceOf('any name', 'key', 'secret')})`;
/** The end of a name in capitals, with a word in front. */
export const variableEnd = `[A-Z0-9]_(?:${sourceOf('variable', 'key').toUpperCase()})`;

const wholeName = new RegExp(`${fieldEnd}$`, 'iu');
const wholeSetting = new RegExp(
  `(?:${sourceOf('any name', 'password')}|${sourceOf('any name', 'key')})$`,
  'iu',
);
/** Whole words: a variable's value is not there to judge by. */
const inVariable = new RegExp(
  `(?:^|_)(?:${sourceOf('variable', 'key')}|${sourceOf('own word', 'password')}|creds?|cookies?|dsn)(?:_|$)|${sourceOf('any name', 'password')}|${sourceOf('any name', 'key')}|passw|privatekey|connection_?string`,
  'iu',
);

/** Whether the value of a property of this name is a secret, whatever it looks like. Pure. */
export function isSecretField(name: string): boolean {
  return wholeName.test(name);
}

/** The same of a setting: nobody configures where a list goes on, so every token counts. Pure. */
export function isSecretSetting(name: string): boolean {
  return wholeSetting.test(name);
}

/** Whether an environment variable of this name holds a secret, as far as its name says. Pure. */
export function isSecretVariable(name: string): boolean {
  return inVariable.test(name);
}
