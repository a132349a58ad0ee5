import { inertText } from '../../base/text.ts';

interface SpokenText {
  /** Paragraphs, without markdown; empty where nothing of it can be said. */
  readonly text: string;
  /** Only the beginning of it is there. */
  readonly isCut: boolean;
}

/**
 * The words of a markdown text as they can be said: blocks of code and rules are left out, of links their words and of addresses their
 * host stays, rows of tables become sentences. At most `max` characters, whole sentences where it can be. Pure.
 */
export function toSpokenText(markdown: string, max: number): SpokenText {
  const isLong = markdown.length > max * maxMarkup;
  const lines = withoutCode(inertText(markdown.slice(0, max * maxMarkup)).split('\n'));
  const text = lines
    .map(spokenLine)
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
  return text.length <= max ? { text, isCut: isLong } : { text: beginningOf(text, max), isCut: true };
}

/** So many times of what may be said is looked at: markup and code take the rest. */
const maxMarkup = 20;

function withoutCode(lines: readonly string[]): readonly string[] {
  let fence: string | undefined;
  return lines.filter((line) => {
    const mark = /^\s{0,20}(?:[-*+>]\s{1,4})?(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence === undefined) {
      fence = mark;
      return mark === undefined;
    }
    if (mark?.startsWith(fence) === true) fence = undefined;
    return false;
  });
}

function spokenLine(line: string): string {
  const isRule = /^\s*(?:([-*_])\s*)(?:\1\s*){2,}$/u.test(line);
  if (isRule || (line.includes('|') && /^[\s|:-]+$/u.test(line))) return '';
  const bare = line.trim().replace(/^(?:>\s?)+/u, '');
  if (bare.startsWith('|')) {
    const cells = bare.split('|').map((cell) => spokenWords(cell));
    return asSentence(cells.filter((cell) => cell !== '').join(', '));
  }
  const block = /^(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?)/u.exec(bare);
  const isBlock = block !== null || /^\d{1,9}[.)]\s/u.test(bare);
  const words = spokenWords(bare.slice(block?.[0].length ?? 0));
  return isBlock ? asSentence(words) : words;
}

/** A voice makes its pause by what ends a sentence. */
function asSentence(words: string): string {
  return words === '' || /[\p{P}]$/u.test(words) ? words : `${words}.`;
}

function spokenWords(text: string): string {
  return text
    .replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,2000}(?:\s"[^"]{0,500}")?\)/gu, '$1')
    .replace(/<?https?:\/\/([^\s/<>)]{1,200})[^\s<>)]{0,2000}>?/giu, '$1')
    .replace(/<\/?[a-z][^<>]{0,500}>/giu, '')
    .replace(/(?<!\\)(?:\*{1,3}|~~|`+)/gu, '')
    .replace(/(?<![\p{L}\p{N}\\])_{1,3}(?=\S)|(?<=\S)(?<!\\)_{1,3}(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();
}

function beginningOf(text: string, max: number): string {
  const part = text.slice(0, max);
  const end = Math.max(...['. ', '! ', '? ', '。', '\n'].map((mark) => part.lastIndexOf(mark)));
  const cut = end > max / 2 ? end + 1 : part.lastIndexOf(' ');
  // Never between the halves of one character.
  return part
    .slice(0, cut > 0 ? cut : max)
    .replace(/[\uD800-\uDBFF]$/u, '')
    .trim();
}
