// Threat: a server asks for a password in words that a person reads and a filter does not: with characters that nobody sees, letters of
// other alphabets, blanks in between. So what is tested is what the words look like.
import { inertLine } from '../base/text.ts';
import { skeleton } from './skeleton.ts';

/** Found inside a word, and across blanks and joining signs. */
const names = [
  ...['passw', 'passphrase', 'passcode', 'passkey', 'pwd', 'secret', 'credential', 'apikey', 'accesskey'],
  ...[
    'privatekey',
    'signingkey',
    'encryptionkey',
    'masterkey',
    'sshkey',
    'seedphrase',
    'mnemonic',
    'recoverycode',
    'recoverykey',
    'recoveryphrase',
    'recoveryword',
  ],
  ...[
    'bearer',
    'onetimecode',
    'onetimepin',
    'onetimetoken',
    'verificationcode',
    'securitycode',
    'authenticationcode',
    'authcode',
    'logincode',
  ],
  ...['authorizationcode', 'authorizationheader', 'digitcode', 'pincode', 'sessioncookie', 'cardnumber'],
  ...['kennwort', 'motdepasse', 'contraseña', 'пароль', '密码', '密碼', 'パスワード', '비밀번호'],
].map(skeleton);
/** Not across blanks: “a message to Ken” asks for none. */
const token = skeleton('token');
/** Words of their own only, since other words hold them. */
const abbreviations = new Set(
  ['pin', 'cvv', 'cvc', 'otp', 'totp', '2fa', 'mfa', 'ssn', 'jwt', 'pw'].map(skeleton),
);
/** Nobody reads more in a form: a longer text is taken for one that hides something. */
const maxRead = 5_000;
/** As many pieces of a word as are put together again. */
const maxPieces = 12;

/** Whether a text that a person reads asks for what belongs into no form of a server. Pure. */
export function asksForSecret(text: string): boolean {
  if (text.length > maxRead) return true;
  const read = inertLine(text, Infinity)
    .normalize('NFKC')
    // How many a model may use.
    .replace(
      /\b(?:max|min|num|total|input|output|completion|prompt|budget)(?:imum|ber of)?[\s_-]*tokens\b/giu,
      'count',
    )
    .replace(/\$(?=\p{L})|(?<=\p{L})\$/gu, 's')
    .replace(/(?<=\p{L})@|@(?=\p{L})/gu, 'a')
    .replace(/([a-z\d])([A-Z])/gu, '$1_$2')
    // Letter by letter.
    .replace(/(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][\s._-]+){2,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu, (letters) =>
      letters.replace(/[\s._-]/gu, ''),
    );
  const joined = read.split(/\s+/u).map((word) => skeleton(word.replace(/[^\p{L}\p{N}\p{M}]/gu, '')));
  if (joined.some((word) => [...names, token].some((name) => word.includes(name)))) return true;
  const pieces = read.split(/[^\p{L}\p{N}\p{M}]+/u).filter((piece) => piece !== '');
  if (pieces.some((piece) => abbreviations.has(skeleton(piece)))) return true;
  if (joined.length === 1 && abbreviations.has(joined[0] ?? '')) return true;
  return pieces.some((_, at) => {
    const rest = skeleton(pieces.slice(at, at + maxPieces).join(''));
    return names.some((name) => rest.startsWith(name));
  });
}
