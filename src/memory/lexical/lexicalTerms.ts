import { markdownExtensions } from '../../base/markdownNames.ts';
import { stem, termsOfQueryToken, termsOfToken, tokensOf, type TokenTerms } from '../terms/readTerms.ts';
import { packTerms } from './createPostings.ts';

/** The texts of one passage, by how much a hit in them says. */
export interface PassageFields {
  /** File name or path. */
  readonly title: string;
  /** Title, tags and aliases of the front matter. */
  readonly keywords: string;
  readonly headings: readonly string[];
  readonly body: string;
}

/** Terms by number, so that a passage is kept in few bytes. Numbers count from 0 and stay. */
export interface TermDictionary {
  /** The number of a term; a new one where it has none yet. */
  add(term: string): number;
  find(term: string): number | undefined;
  term(id: number): string | undefined;
  readonly size: number;
  /** The terms of one token of a text, each new one added; remembered, since a text has few different tokens. */
  read(token: string): { readonly ids: readonly number[]; readonly words: number };
}

/** What the index keeps of a passage: numbers and weighted counts of its terms, packed, and its length in words. */
export interface PassageTerms {
  readonly packed: Uint8Array;
  readonly length: number;
}

/**
 * To be raised with what `readPassageTerms` gives for the same fields: an index that was made by another version has to be built
 * anew.
 */
export const termsVersion = 2;

/** How much more a word says where it stands in a name or heading. The index keeps the products: raise `termsVersion` with a change. */
const fieldWeights = { title: 4, keywords: 4, headings: 3, body: 1 };

/** The terms of a passage, weighted by the field they stand in. New ones are added to the dictionary. */
export function readPassageTerms(fields: PassageFields, dictionary: TermDictionary): PassageTerms {
  const counts = new Map<number, number>();
  const count = (text: string, weight: number): number => {
    let words = 0;
    for (const token of tokensOf(text)) {
      const read = dictionary.read(token);
      for (const id of read.ids) counts.set(id, (counts.get(id) ?? 0) + weight);
      words += read.words;
    }
    return words;
  };
  for (const key of fileKeysOf(fields.title)) counts.set(dictionary.add(key), 1);
  for (const name of fields.title.replace(/\.[a-z]+$/i, '').split(/[\\/]/)) count(name, fieldWeights.title);
  count(fields.keywords, fieldWeights.keywords);
  for (const heading of fields.headings) count(heading, fieldWeights.headings);
  const length = count(fields.body, fieldWeights.body);
  return { packed: packTerms(counts), length };
}

/** What a query asks for, as terms; whether any of them occurs is not known yet. */
interface ReadQuery {
  /** How much each counts, without words that tell nothing: as often as it is asked for. */
  readonly telling: ReadonlyMap<string, number>;
  /** The words that tell nothing, for a query that has no others. */
  readonly idle: ReadonlyMap<string, number>;
  /** Terms that stand for files that the query names. */
  readonly files: readonly string[];
  /** Terms that stand for ids that the query names. */
  readonly ids: readonly string[];
}

const maxQueryLength = 10_000;
const maxJoined = 40;

/**
 * What a term counts that says the same again: the whole of a compound beside its parts, and neighbours as one word (`file name`:
 * filename). In full they drown the rest, since they are rare. A verb with its particle is one word: "set it up" asks for `setup`.
 */
const weights = { part: 1, form: 0.5, joined: 0.3, withParticle: 1 };
const particles = new Set('up out in on off down back over away'.split(' '));

/** Reads any text as a query. */
export function readQuery(query: string): ReadQuery {
  const text = query.slice(0, maxQueryLength);
  const tokens = tokensOf(text);
  const telling = createCounts();
  for (const token of tokens) if (!isIdle(token)) countToken(telling, token);
  const joinable = tokens.filter((token) => !isIdle(token) || isParticle(token));
  for (const [index, token] of joinable.slice(1).entries()) {
    const joined = joinWords(joinable[index] ?? '', token);
    if (joined !== undefined)
      telling.count(joined, isParticle(token) ? weights.withParticle : weights.joined);
  }
  const idle = createCounts();
  for (const token of tokens)
    for (const part of termsOfQueryToken(token).parts) idle.count(part, weights.part);
  return {
    telling: telling.all,
    idle: idle.all,
    files: unique(wordsOf(text).map(fileKeyOfWord)),
    ids: unique(tokens.filter(isIdLike).map(termOfId)),
  };
}

/** The one term that stands for the whole of it. */
function termOfId(token: string): string {
  const whole = token.toLowerCase();
  return /^\w+$/.test(whole) ? whole.replace(/^_+|_+$/g, '') : whole;
}

function isIdle(token: string): boolean {
  return stopWords.has(token.toLowerCase());
}

function isParticle(token: string): boolean {
  return particles.has(token.toLowerCase());
}

function countToken(counts: Counts, token: string): void {
  const { parts, forms }: TokenTerms = termsOfQueryToken(token);
  // "end-of-file" asks for the end and the file.
  const idle = new Set(
    token
      .split(/[-./]/)
      .filter(isIdle)
      .flatMap((word) => termsOfQueryToken(word).parts),
  );
  for (const part of parts) if (!idle.has(part)) counts.count(part, weights.part);
  for (const form of forms) counts.count(form, weights.form);
}

interface Counts {
  readonly all: ReadonlyMap<string, number>;
  count(term: string, weight: number): void;
}

function createCounts(): Counts {
  const all = new Map<string, number>();
  return { all, count: (term, weight) => void all.set(term, (all.get(term) ?? 0) + weight) };
}

function joinWords(first: string, second: string): string | undefined {
  const joined = `${first}${second}`;
  return joined.length <= maxJoined && /^[\p{L}\p{N}]+$/u.test(joined)
    ? stem(joined.toLowerCase())
    : undefined;
}

/** The words of a query as they stand between spaces, without the marks around them. */
function wordsOf(text: string): readonly string[] {
  return text
    .split(/[\s"'`()[\]{}<>,;:!?|*]+/u)
    .map((word) => word.replace(/\.+$/u, ''))
    .filter((word) => word !== '' && word.length <= 500);
}

function unique(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

const shapes: readonly RegExp[] = [
  // #140736
  /^#\d+$/,
  // PROJ-1234, CVE-2026-25593; not mach-5, GPT-4 or 20-year
  /^[A-Z][A-Z\d]*(?:-\d+)*-\d{2,}$/,
  /^[a-z][a-z\d]+(?:-\d+)*-\d{3,}$/i,
  // GHSA-99qw-6mr3-36qr, 2026-02-15
  /^(?=(?:[^-]*\d[^-]*-|[^-]+-)*[^-]*\d)(?=.*\d.*-.*\d)[a-z\d]+(?:-[a-z\d]+){2,}$/i,
  // v2.3.1, v24.1, 2.3.1; not 2.5
  /^v\d+(?:\.\d+)+(?:-[\w.]+)?$/i,
  /^\d+(?:\.\d+){2,}(?:-[\w.]+)?$/,
  // a.b.c, package.json, console.log; not e.g, U.S.A
  /^(?![A-Z](?:\.[A-Z])+$)\w+(?:\.\w+){2,}$/,
  /^(?=.*[a-z_])\w{2,}\.\w{2,}$/i,
  // src/a/b.md, src/a/b; not and/or
  /^[\w.-]+(?:\/[\w.-]+)+\.\w+$/,
  /^[\w.-]+(?:\/[\w.-]+){2,}$/,
  // before_tool_call
  /^_*[a-z\d]+(?:_+[a-z\d]+)+_*$/i,
  // fffe5a2b13bf, TS2322
  /^(?=.*\d)(?=.*[a-f])[\da-f]{7,64}$/i,
  /^[A-Z]{1,6}\d{3,}$/,
];

/** True for a token that names one thing, such as an issue, a version, a path or a function; never for ordinary words. */
export function isIdLike(token: string): boolean {
  return token.length <= 64 && shapes.some((shape) => shape.test(token));
}

/** English words that tell nothing of what is asked for, in lower case; endings that an apostrophe leaves are among them. */
const stopWords: ReadonlySet<string> = new Set(
  `a about an and any are as at be been but by can could did do does doing done for from had has have having he her him his how
   i if in into is it its me my of on or our please she should so some tell than that the their them then there these they this
   those to us was we were what when where which who whom whose why will with would you your s t d ll re ve m don doesn didn isn
   aren wasn weren`.split(/\s+/),
);

/** The first character of terms that stand for a file name: no text has one that begins so. */
const mark = '\u0001';
/** Of notes and of transcripts. */
const extension = new RegExp(`\\.(?:${[...markdownExtensions, 'jsonl'].join('|')})$`, 'i');
const maxSegments = 12;

/**
 * The terms by which a file is found when a query names it: its name and each longer end of its path, without the extension.
 * `docs/a/setup.md` gives `setup`, `a/setup` and `docs/a/setup`, each behind a mark.
 */
export function fileKeysOf(path: string): readonly string[] {
  const segments = plain(path).split('/').slice(-maxSegments);
  return segments.map((_, index) => `${mark}${segments.slice(index).join('/')}`);
}

/** The key that a word of a query may stand for; undefined where it looks like an ordinary word or number. */
export function fileKeyOfWord(word: string): string | undefined {
  const name = plain(word.replace(/^(?:\.\/|@)+/, '').replace(/#.*$/, ''));
  const looksLikeName =
    extension.test(word.replace(/#.*$/, '')) ||
    /\p{L}.*[-_/]|[-_/].*\p{L}|\d-.*\d-|\p{L}\d|\d\p{L}/u.test(word) ||
    /^[A-Z]{4,}$/.test(word);
  return looksLikeName && name !== '' ? `${mark}${name}` : undefined;
}

export function isFileKey(term: string): boolean {
  return term.startsWith(mark);
}

/** A path as keys have it: lower case, forward slashes, no extension. */
function plain(path: string): string {
  return path
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^\/+/, '')
    .replace(extension, '');
}

/** Tokens that are remembered with their terms; a text has few different ones. */
const maxRemembered = 50_000;
const maxRememberedLength = 40;

/** @param initial Terms in the order of their numbers. */
export function createTermDictionary(initial: readonly string[] = []): TermDictionary {
  const terms = [...initial];
  const ids = new Map(terms.map((term, id) => [term, id]));
  const remembered = new Map<string, { readonly ids: readonly number[]; readonly words: number }>();

  const add = (term: string): number => {
    const known = ids.get(term);
    if (known !== undefined) return known;
    const own = copyOf(term);
    const id = terms.push(own) - 1;
    ids.set(own, id);
    return id;
  };

  return {
    add,
    find: (term) => ids.get(term),
    term: (id) => terms[id],
    get size() {
      return terms.length;
    },
    read(token) {
      const known = remembered.get(token);
      if (known !== undefined) return known;
      const found = termsOfToken(token);
      const read = { ids: [...found.parts, ...found.forms].map(add), words: found.words };
      if (token.length <= maxRememberedLength) {
        if (remembered.size >= maxRemembered) remembered.clear();
        remembered.set(copyOf(token), read);
      }
      return read;
    },
  };
}

/** A part of a string may keep the whole of it in memory: here that would be the text of each file. */
function copyOf(text: string): string {
  return text.split('').join('');
}
