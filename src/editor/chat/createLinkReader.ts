import type { Clock } from '../../host/ports.ts';

/** A piece of an answer: text, a link to a file of this machine, or what may be the path of a file. */
export type AnswerPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly title: string; readonly href: string }
  | PathPiece;

/** `src/app.ts:12`, as such, as inline code, or as what a link leads to. */
export interface PathPiece {
  readonly kind: 'path';
  /** As the answer has it: what to show where there is no such file. */
  readonly text: string;
  /** The words of a link; absent, the path is what to show. */
  readonly title?: string;
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
  /** The last line of several; 1-based, never before `line`. */
  readonly lastLine?: number;
}

/**
 * Finds links to files and paths in streamed markdown, however the stream is cut; code blocks are left as they are. The panel makes
 * such a link work in a remote window only as a part of its own, not inside text that was put together from several parts.
 */
interface LinkReader {
  /** What can be shown now of everything pushed so far; the beginning of a link, a path or a code span waits for its end. */
  push(text: string): readonly AnswerPiece[];
  /** What is held back, shown before its end is known: what goes on with it is text. */
  pause(): readonly AnswerPiece[];
  /** What was held back. The text ends there: what is pushed next is another one. */
  flush(): readonly AnswerPiece[];
}

export function createLinkReader(): LinkReader {
  let held = '';
  /** So many characters of what is held were shown in a pause. */
  let shown = 0;
  let place = atStart;
  const read = (isEnd: boolean): readonly AnswerPiece[] => {
    const pieces: AnswerPiece[] = [];
    let text = '';
    let start = 0;
    while (start < held.length) {
      const token = nextToken(held.slice(start), place, isEnd);
      if (token === undefined) break;
      const raw = held.slice(start, start + token.length);
      if (token.piece === undefined || start < shown) text += raw.slice(Math.max(0, shown - start));
      else {
        if (text !== '') pieces.push({ kind: 'text', text });
        text = '';
        pieces.push(token.piece);
      }
      place = { before: raw.at(-1) ?? place.before, fence: 'fence' in token ? token.fence : place.fence };
      start += token.length;
    }
    held = held.slice(start);
    shown = Math.max(0, shown - start);
    return text === '' ? pieces : [...pieces, { kind: 'text', text }];
  };
  return {
    push(text) {
      held += text;
      return read(false);
    },
    pause() {
      if (shown === held.length) return [];
      // Half a link or half a code span is text; a word may be a path already.
      const token = shown === 0 ? nextToken(held, place, true) : undefined;
      const rest = held.slice(token?.piece === undefined ? shown : token.length);
      shown = held.length;
      return [
        ...(token?.piece === undefined ? [] : [token.piece]),
        ...(rest === '' ? [] : [{ kind: 'text' as const, text: rest }]),
      ];
    },
    flush() {
      const pieces = read(true);
      place = atStart;
      return pieces;
    },
  };
}

/**
 * Milliseconds without a word from the model until what is held is shown. Longer than a slow model takes from one piece of a path to
 * the next; shorter than it takes a person to see a pause and press Stop, after which the panel takes no text any more.
 */
const pauseMs = 300;

/** A reader that shows what it finds, and in a pause of the model also what it holds. */
interface LinkShower {
  push(text: string): void;
  flush(): void;
  /** Shows nothing in a pause any more. */
  dispose(): void;
}

/** `after` is that of a clock. */
export function createLinkShower(
  after: Clock['after'],
  show: (pieces: readonly AnswerPiece[]) => void,
): LinkShower {
  const reader = createLinkReader();
  let stopWaiting = (): void => undefined;
  return {
    push(text) {
      stopWaiting();
      show(reader.push(text));
      stopWaiting = after(pauseMs, () => show(reader.pause()));
    },
    flush() {
      stopWaiting();
      show(reader.flush());
    },
    dispose: () => stopWaiting(),
  };
}

/** A text begins on a line of its own; what follows a flush does, too. */
const atStart: ReaderState = { before: '\n', fence: undefined };

/** Where the reader stands: after which character, and in which code block. */
interface ReaderState {
  readonly before: string;
  /** What opened the block. */
  readonly fence: string | undefined;
}

interface Token {
  readonly length: number;
  /** Undefined for text. */
  readonly piece?: AnswerPiece;
  /** Given where a code block begins or ends. */
  readonly fence?: string | undefined;
}

/** Longer than this it is no link, no code span and no path, or one that is not worth the wait. */
const longest = 600;

/** The first token of a text that is not empty; undefined where its end has to be waited for. Pure. */
function nextToken(text: string, place: ReaderState, isEnd: boolean): Token | undefined {
  const canWait = !isEnd && text.length <= longest;
  if (place.before === '\n') {
    const fence = fenceToken(text, place.fence, isEnd, canWait);
    if (fence !== 'none') return fence;
  }
  if (place.fence !== undefined) return lineToken(text);
  switch (text[0]) {
    case '\\':
      return text.length > 1 || isEnd ? { length: Math.min(2, text.length) } : undefined;
    case '`':
      return codeToken(text, isEnd, canWait);
    case '[':
      return linkToken(text, place.before, canWait);
    default:
      return wordToken(text, place.before, isEnd, canWait);
  }
}

const fenceLine = /^[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?<fence>`{3,}|~{3,})(?<info>[^\n]*)(?<end>\n?)/u;
const maybeFence = /^[ \t>]*(?:(?:[-*+]|\d{1,3}[.)]?)[ \t]*)?(?:`{0,2}|~{0,2})$/u;

/** The line that opens or closes a code block. */
function fenceToken(
  text: string,
  open: string | undefined,
  isEnd: boolean,
  canWait: boolean,
): Token | undefined | 'none' {
  const { fence, info = '', end = '' } = fenceLine.exec(text)?.groups ?? {};
  if (fence === undefined) return canWait && maybeFence.test(text) ? undefined : 'none';
  if (end === '' && !isEnd && canWait) return undefined;
  const { length } = lineToken(text);
  if (open === undefined) return fence.startsWith('`') && info.includes('`') ? 'none' : { length, fence };
  return fence.startsWith(open) && info.trim() === '' ? { length, fence: undefined } : 'none';
}

function lineToken(text: string): Token {
  const end = text.indexOf('\n');
  return { length: end === -1 ? text.length : end + 1 };
}

/** A code span ends on its line with as many backticks as it began with. */
function codeToken(text: string, isEnd: boolean, canWait: boolean): Token | undefined {
  const ticks = /^`+/u.exec(text)?.[0] ?? '`';
  const rest = text.slice(ticks.length);
  const match = new RegExp(`^(?<code>[^\\n]*?[^\`\\n])${ticks}(?!\`)`, 'u').exec(rest);
  const isOpen = !rest.includes('\n') && (match === null || match[0].length === rest.length);
  if (isOpen && canWait && !(isEnd && match !== null)) return undefined;
  if (match === null) return { length: ticks.length };
  const length = ticks.length + match[0].length;
  const piece = pathIn(match.groups?.['code']?.trim() ?? '', text.slice(0, length), codePath, codeName);
  return piece === undefined ? { length } : { length, piece };
}

// `\[` opens no link, and neither does a bracket inside a title.
const link = /^\[(?<title>(?:\\.|[^[\]\\\n])*)\]\((?:<(?<quoted>[^>\n]*)>|(?<plain>[^)<\s]*))\)/u;
const openLink = /^\[(?:\\.|[^[\]\\\n])*\\?(?:\](?:\((?:<[^>\n]*>?|[^)<\s]*)?)?)?$/u;
const fileAddress = /^file:\/\/\/(?!\/)/u;

function linkToken(text: string, before: string, canWait: boolean): Token | undefined {
  const match = link.exec(text);
  if (match === null) return canWait && openLink.test(text) ? undefined : { length: 1 };
  const { title = '', quoted, plain = '' } = match.groups ?? {};
  const href = quoted ?? plain;
  const { length } = match[0];
  const isImage = before === '!';
  const piece: AnswerPiece | undefined = fileAddress.test(href)
    ? { kind: 'file', title: plainTitle(title), href }
    : isImage
      ? undefined
      : linkedPath(match[0], plainTitle(title), href);
  return piece === undefined ? { length } : { length, piece };
}

// `app.ts:12` is no address, though it looks like one.
const address = /^[a-z][a-z\d+.-]*:(?!\d+(?:[:-]\d+)*$)/iu;
const linkPath = /^(?<path>[^#?]+?)(?:(?::|#L)(?<line>\d{1,7})(?:-L?(?<last>\d{1,7}))?(?:[:-]L?\d+)*|#.*)?$/u;

/** `[guide](docs/guide.md#L8)`; any other heading after `#` is left out, since no editor opens there. */
function linkedPath(text: string, title: string, href: string): PathPiece | undefined {
  const { path, line, last } = (address.test(href) ? null : linkPath.exec(href))?.groups ?? {};
  if (path === undefined || path.includes('//') || title === '') return undefined;
  return { kind: 'path', text, title, path: decode(path), ...lineRange(line, last) };
}

/** `5` and `7` of `:5-7`, `#L5-L7`. Pure. */
export function lineRange(
  line: string | undefined,
  last: string | undefined,
): Pick<PathPiece, 'line' | 'lastLine'> {
  if (line === undefined) return {};
  const isSeveral = last !== undefined && Number(last) > Number(line);
  return { line: Number(line), ...(isSeveral ? { lastLine: Number(last) } : {}) };
}

/** `my%20guide.md` is `my guide.md`; a per cent sign that stands for nothing is one. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Without escapes, and without the signs of code and bold: the panel shows the words of a link as they are. */
function plainTitle(title: string): string {
  return title.replace(/\\(?<escaped>[^\w\s])|`|\*\*/gu, '$<escaped>');
}

// Scripts that put spaces between words: a sentence of others would be held back as one word.
const wordChar = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_\-./@+~$#:%=&]`;
// Before a letter a backslash escapes nothing; behind a folder any letters may follow.
const backslash = String.raw`\\(?=[\p{L}\p{N}])`;
const word = new RegExp(
  String.raw`^${wordChar}(?:${wordChar}|${backslash}|(?<=[^/]\/)\p{L}+(?:\p{L}|${wordChar})*)*`,
  'u',
);
const isWordChar = new RegExp(`^${wordChar}$`, 'u');

function wordToken(text: string, before: string, isEnd: boolean, canWait: boolean): Token | undefined {
  const found = word.exec(text)?.[0];
  if (found === undefined) return { length: String.fromCodePoint(text.codePointAt(0) ?? 0).length };
  const isCut = found.length === text.length || text.slice(found.length) === '\\';
  if (isCut && !isEnd && canWait) return undefined;
  const bare = found.replace(/[.:#]+$/u, '');
  const { emphasised = bare } = /^(?<signs>__?)(?<emphasised>[^_].*[^_])\k<signs>$/u.exec(bare)?.groups ?? {};
  const piece =
    isWordChar.test(before) || bare === '' ? undefined : pathIn(emphasised, bare, barePath, bareName);
  return piece === undefined ? { length: found.length } : { length: bare.length, piece };
}

const atLine = String.raw`(?:(?::|#L)(?<line>\d{1,7})(?:-L?(?<last>\d{1,7}))?(?:[:-]L?\d+)*)?$`;
const barePath = new RegExp(String.raw`^(?<path>[^\s:#]+)${atLine}`, 'u');
/** In code a name may have spaces. */
const codePath = new RegExp(String.raw`^(?<path>[^:#]+?)${atLine}`, 'u');
/** A name with a folder or an ending. */
const bareName = /[^/]\/[^/]|^\/[^/]|[^./]\.\p{L}\w{0,9}$/u;
/** In code also one that begins with a dot, and those that have no ending by custom. */
const codeName = new RegExp(
  String.raw`${bareName.source}|^\.\p{L}[\w.-]*$|^(?:[A-Z][a-z]*file|LICEN[CS]E|README|CHANGELOG|NOTICE|AUTHORS|CODEOWNERS)$`,
  'u',
);

/** Whether there is such a file, nobody knows here. */
function pathIn(written: string, text: string, form: RegExp, name: RegExp): PathPiece | undefined {
  const { path: said, line, last } = form.exec(written)?.groups ?? {};
  const path = said?.replaceAll('\\', '/');
  if (path === undefined || !name.test(path) || path.includes('//')) return undefined;
  return { kind: 'path', text, path, ...lineRange(line, last) };
}
