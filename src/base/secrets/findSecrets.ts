// Threat: people paste keys into chats, tools print them, models repeat them; what is written is stored for long, found by searches and
// shown to models. This knows shapes and names, not secrets: a password in a sentence stays.

import type { Span } from './replaceSpans.ts';
import { secretShapes } from './secretShapes.ts';
import { fieldEnd, variableEnd, type SecretKind } from './secretFields.ts';

/** What stands for a value: variables, placeholders, marks, references to vaults, paths and addresses, checksums, data. */
const placeholder =
  /^(?:[$<{%[]|[*xX.•_-]+$|(?:\.{0,2}|~)\/|[a-z][a-z\d+.-]{0,20}:\/\/|(?:env|file|vault|data|arn|urn|secret):|sha\d{1,3}[-:])/u;

/** A name in code, or one inside of another: `config.password`. */
const memberPath = /^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/u;

/** A secret in a text, and what it is, as people read it. */
interface FoundSecret extends Span {
  readonly name: string;
}

/** What looks like a key, token or password, in order; linear in the length of the text. Pure. */
export function findSecrets(text: string): readonly FoundSecret[] {
  return withoutOverlaps([
    ...secretShapes.flatMap(({ name, shape }) => findShape(text, name, shape)),
    ...findAssignments(text).map((span) => ({ name: 'secret value', ...span })),
  ]);
}

function findShape(text: string, name: string, shape: RegExp): readonly FoundSecret[] {
  return [...text.matchAll(shape)].map((match) => {
    const start = match.index + (match.groups?.['before']?.length ?? 0);
    return { name, start, end: match.index + match[0].length };
  });
}

/** Of two that share text, the one that begins first counts, as far as both of them reach. */
function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const apart: FoundSecret[] = [];
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (last === undefined || each.start >= last.end) apart.push(each);
    else if (each.end > last.end) apart[apart.length - 1] = { ...last, end: each.end };
  }
  return apart;
}

// Threat: a secret without a shape of its own, known by its name alone: `password=…`, `"apiKey": "…"`. The text may be hostile:
// every repetition has a limit, and no value is looked at by more than the names that stand right before it.
/**
 * The end of a name, and what stands between it and its value; both may be marked in Markdown or escaped in JSON. A value may also
 * follow the name of an option, of an instruction `ENV`, of an element or an argument.
 */
const between =
  /(?:\*{0,2}\\?["'`]?\]?\s{0,8}(?:=>|:=|!?={1,3}|:)\*{0,2}\s{0,8}|["'],\s{0,8}(?=["'])|["']\s{1,8}value\s{0,8}=\s{0,8}(?=["'])|>(?=[^\s<]{1,200}<\/))/u
    .source;
const inOption = /(?<=(?:\s|^)--?[a-z-]{0,40}|\bENV\s{1,8}[A-Z0-9_]{0,60})/u.source;
const assignment = new RegExp(`${fieldEnd}${between}`, 'giu');
const variable = new RegExp(`${variableEnd}${between}`, 'gu');
const option = new RegExp(`${inOption}${fieldEnd}[ \\t]{1,8}`, 'giu');

const quoted = /(\\?["'`])((?:(?!\1)[^\n\r\\]){1,4096})\1/uy;

/** Characters of a word that decide whether it is a secret; then the whole word goes. */
const maxJudged = 64;
const unquoted = /[^\s"'`,;&<>(){}[\]|\\]{1,64}/uy;
const rest = /[^\s"'`,;&<>(){}[\]|\\]*/uy;

/**
 * Finds values that are assigned to names of secrets and look like one: in configuration, code, JSON, headers, addresses and
 * command lines. Plain words, references to variables, paths and calls are none. Pure.
 */
function findAssignments(text: string): readonly Span[] {
  return [assignment, variable, option].flatMap((name) => findAfter(name, text));
}

function findAfter(name: RegExp, text: string): readonly Span[] {
  const found: Span[] = [];
  name.lastIndex = 0;
  for (let match = name.exec(text); match !== null; match = name.exec(text)) {
    const kind: SecretKind = match.groups?.['password'] === undefined ? 'key' : 'password';
    let span = secretAt(text, name.lastIndex, kind);
    while (span !== undefined) {
      found.push(span);
      name.lastIndex = span.end;
      // Of a list, each of them.
      span = text.charAt(span.end) === ',' ? secretAt(text, span.end + 1, kind) : undefined;
    }
  }
  return found;
}

function secretAt(text: string, start: number, kind: SecretKind): Span | undefined {
  quoted.lastIndex = start;
  const [, open, value] = quoted.exec(text) ?? [];
  if (open !== undefined && value !== undefined) {
    const from = start + open.length;
    return isSecretValue(value, { kind, quoted: true })
      ? { start: from, end: from + value.length }
      : undefined;
  }
  unquoted.lastIndex = start;
  const read = unquoted.exec(text)?.[0];
  if (read === undefined) return undefined;
  const word = read.replace(/[.:?]+$/u, '');
  const end = start + word.length;
  const isCall = /^[([]/u.test(text.charAt(end));
  if (isCall || !isSecretValue(word, { kind, quoted: false })) return undefined;
  if (read.length < maxJudged) return { start, end };
  rest.lastIndex = start + read.length;
  return { start, end: start + read.length + (rest.exec(text)?.[0].length ?? 0) };
}

interface ValueFacts {
  readonly kind: SecretKind;
  /** False in code and configuration where it may be a name. */
  readonly quoted: boolean;
}

/** True where what is assigned to the name of a secret is one, as far as its form tells. Pure. */
function isSecretValue(value: string, { kind, quoted }: ValueFacts): boolean {
  const isPassword = kind === 'password';
  if (value.length < (isPassword ? 6 : 8)) return false;
  if (!(isPassword ? /\d|[^\w./:-]/u.test(value) : looksMade(value))) return false;
  if (placeholder.test(value) || /\s/u.test(value)) return false;
  if (!quoted && memberPath.test(value) && value.split(/[?.]+/u).every(isReadable)) return false;
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
