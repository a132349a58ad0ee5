import type { ToolDefinition } from '../../contracts/tool.ts';
import { inertLink, inertProse, fenced } from './inertMarkdown.ts';
import { abilities } from './texts.ts';

/** A passage of a workspace file that was found. Its texts are untrusted. */
export interface Passage {
  /** Absolute. */
  readonly path: string;
  /** The path as people read it. */
  readonly label: string;
  /** 1-based. */
  readonly startLine: number;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
  /** 0 to 1, comparable within one search only. */
  readonly score: number;
}

interface QuestionContext {
  readonly question: string;
  readonly passages: readonly Passage[];
  readonly tools: readonly ToolDefinition[];
  readonly fileLink: (absolutePath: string, line: number) => string;
}

const maxPassages = 3;
const maxExcerptLength = 700;

/** The answer to a question as paragraphs: the best passages, quoted, each with a link to the line of its file that fits the question best. */
export function answerQuestion(context: QuestionContext): string[] {
  const passages = choosePassages(context.passages);
  if (passages.length === 0) {
    return [
      "I found nothing about that in this workspace's markdown. What I can do:",
      abilities(context.tools),
    ];
  }
  const [, ...others] = passages;
  const head =
    others.length === 0
      ? "This passage of the workspace's markdown fits your question best:"
      : `These ${passages.length} passages of the workspace's markdown fit your question best:`;
  return [head, ...passages.flatMap((passage) => quotePassage(passage, context))];
}

const overview = new RegExp(
  String.raw`^(?:what(?:'s| is| does)|tell me about|explain|describe|summari[sz]e|(?:give me )?an? (?:overview|summary) of)` +
    String.raw` (?:this|the|my)(?: (?:project|workspace|repo|repository|folder|codebase|code|readme))?` +
    String.raw`(?: (?:do|about|all about|for|here))?[\s?.!]*$`,
  'iu',
);

/** True where a newcomer asks what all of this is: the readme says it, whatever words it uses. */
export function asksForOverview(question: string): boolean {
  return overview.test(question);
}

const change = new RegExp(
  String.raw`^(?:please,? |pincer,? |(?:can|could|would|will) you (?:please )?|i(?:'d| would) like you to |i want you to )*` +
    String.raw`(?:add|append|apply|bump|change|clean up|comment out|convert|correct|create|delete|drop|edit|extend|extract|fix` +
    String.raw`|format|generate|implement|improve|insert|make|merge|migrate|modify|move|port|refactor|remove|rename|reorder` +
    String.raw`|replace|rewrite|shorten|simplify|sort|split|translate|undo|update|upgrade|write)\b(?!\s*[?:])`,
  'iu',
);

/** True where somebody asks for a change in words: a passage that has the same words would be no answer. */
export function asksForChange(text: string): boolean {
  return change.test(text);
}

/** The answer to that, as paragraphs; the closing line of every answer leads to a model that can. */
export function refuseChange(tools: readonly ToolDefinition[]): string[] {
  return [
    "I can't make this change: I am not an AI, and carry out plain commands only. Add a model and ask again: it edits files, and you see each change before it is made.",
    'What I can do:',
    abilities(tools),
  ];
}

/** The beginnings of the readmes among the passages, those nearest to the top of the workspace first. */
export function chooseReadmes(passages: readonly Passage[]): Passage[] {
  const depth = (passage: Passage): number => passage.label.split('/').length;
  return passages
    .filter((passage) => /(?:^|\/)readme\.md$/iu.test(passage.label))
    .sort(
      (a, b) =>
        depth(a) - depth(b) || (a.label < b.label ? -1 : a.label > b.label ? 1 : a.startLine - b.startLine),
    )
    .map((passage) => ({ ...passage, score: 1 }))
    .slice(0, 2);
}

/** Leaves out what is far behind the best one: it would only distract. */
function choosePassages(passages: readonly Passage[]): readonly Passage[] {
  const strength = ({ score }: Passage): number => score / Math.max(1 - score, 1e-6);
  const best = Math.max(0, ...passages.map(strength));
  return passages.filter((passage) => strength(passage) >= best / 2).slice(0, maxPassages);
}

function quotePassage(passage: Passage, { question, fileLink }: QuestionContext): string[] {
  // Who asks what all of this is means no line that happens to have a word of that.
  const query = asksForOverview(question) ? '' : question;
  const excerpt = planExcerpt(readPassageBlocks(passage.text), query, maxExcerptLength);
  const line = passage.startLine + (excerpt.matched ?? 0);
  const link = inertLink(`${passage.label}:${line}`, fileLink(passage.path, line));
  const place = [link, ...passage.headings.map((heading) => inertProse(heading, 80))].join(' › ');
  return excerpt.blocks.length === 0 ? [place] : [place, quoteExcerpt(excerpt)];
}

/** A block quote that shows the excerpt literally, prose as text and code as code. */
function quoteExcerpt(excerpt: Excerpt): string {
  const parts = excerpt.blocks.map((block) =>
    block.kind === 'code' ? fenced(block.lines) : quoteProse(block),
  );
  if (excerpt.isCutBefore) parts.unshift('…');
  if (excerpt.isCutAfter) parts.push('…');
  return parts
    .join('\n\n')
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** Lines of a paragraph flow together; list items and table rows keep a line each. */
function quoteProse({ lines }: PassageBlock): string {
  return lines
    .map((line, index) => {
      const next = lines[index + 1];
      const breaks = next !== undefined && /^\s*(?:[-*+|>]|\d+[.)]\s)/u.test(next);
      return `${inertProse(line)}${breaks ? '\\' : ''}`;
    })
    .join('\n');
}

/** The part of a passage that is quoted. */
interface Excerpt {
  readonly blocks: readonly PassageBlock[];
  /** The line with most words of the query, 0-based from the first of the passage; undefined where none has one. */
  readonly matched: number | undefined;
  /** True where the passage has more before or after it. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/**
 * The block that has most words of the query, with as many of its neighbours as fit into `maxLength` characters: those after
 * it first, since an answer follows its question. Of a block that is too long on its own, lines are chosen in the same way.
 * The passage's own headings are left out.
 */
function planExcerpt(passage: readonly PassageBlock[], query: string, maxLength: number): Excerpt {
  const blocks = passage.filter((block) => block.kind !== 'heading');
  const words = wordsOf(query);
  const window = planWindow(
    blocks.map((block) => block.lines.join('\n')),
    words,
    maxLength,
  );
  const chosen = blocks.slice(window.first, window.last + 1);
  const [only] = chosen;
  const fitting =
    only === undefined || lengthOf(only.lines) <= maxLength ? chosen : [fit(only, words, maxLength)];
  const [first] = fitting;
  return {
    blocks: fitting,
    matched: matchedLine(blocks[window.best], words),
    isCutBefore: window.first > 0 || first?.first !== only?.first,
    isCutAfter: window.last + 1 < blocks.length || endOf(fitting.at(-1)) !== endOf(chosen.at(-1)),
  };
}

/** The best piece and its neighbours, first and last included; the best one is in it however long it is. */
function planWindow(
  pieces: readonly string[],
  words: readonly string[],
  maxLength: number,
): { readonly best: number; readonly first: number; readonly last: number } {
  const best = indexOfHighest(scorePieces(pieces, words));
  let [first, last] = [best, best];
  let room = maxLength - (pieces[best]?.length ?? 0);
  const takes = (piece: string | undefined): boolean => {
    if (piece === undefined || piece.length >= room) return false;
    room -= piece.length + 1;
    return true;
  };
  while (takes(pieces[last + 1])) last += 1;
  while (takes(pieces[first - 1])) first -= 1;
  return { best, first, last };
}

function matchedLine(block: PassageBlock | undefined, words: readonly string[]): number | undefined {
  if (block === undefined) return undefined;
  const scores = scorePieces(block.lines, words);
  const at = indexOfHighest(scores);
  return (scores[at] ?? 0) > 0 ? block.first + at : undefined;
}

/** The first of several; 0 where there is none. */
function indexOfHighest(scores: readonly number[]): number {
  return scores.reduce((at, score, index) => (score > (scores[at] ?? 0) ? index : at), 0);
}

/** The words that a piece has; one that many pieces have says less. */
function scorePieces(pieces: readonly string[], words: readonly string[]): number[] {
  const lower = pieces.map((piece) => piece.toLowerCase());
  const weights = words.map((word) => 1 / Math.max(1, lower.filter((piece) => piece.includes(word)).length));
  return lower.map((piece) =>
    words.reduce((sum, word, index) => sum + (piece.includes(word) ? (weights[index] ?? 0) : 0), 0),
  );
}

/** The best lines of a block that is too long. */
function fit(block: PassageBlock, words: readonly string[], maxLength: number): PassageBlock {
  const window = planWindow(block.lines, words, maxLength);
  const lines = block.lines.slice(window.first, window.last + 1).map((line) => line.slice(0, maxLength));
  return { ...block, first: block.first + window.first, lines };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function endOf(block: PassageBlock | undefined): string {
  return block === undefined ? '' : `${block.first + block.lines.length}:${block.lines.at(-1)?.length ?? 0}`;
}

/** The words of the query, and their beginnings: `configured` and `configuration` share one. */
function wordsOf(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return [...new Set(words.flatMap((word) => [word, word.slice(0, Math.max(4, word.length - 3))]))];
}

/** A paragraph or a code fence of a passage. */
interface PassageBlock {
  readonly kind: 'prose' | 'code' | 'heading';
  /** Where `lines` begin: 0-based, from the first line of the passage. */
  readonly first: number;
  /** Without the fence itself. */
  readonly lines: readonly string[];
}

/** The blocks of a passage of markdown, in order; blank lines between them belong to none. */
function readPassageBlocks(text: string): PassageBlock[] {
  const blocks: { kind: PassageBlock['kind']; first: number; lines: string[] }[] = [];
  let fence: string | undefined;
  let open: (typeof blocks)[number] | undefined;
  for (const [at, line] of text.split('\n').entries()) {
    const mark = /^\s*(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = open = undefined;
      else open?.lines.push(line);
    } else if (mark !== undefined) {
      fence = mark;
      blocks.push((open = { kind: 'code', first: at + 1, lines: [] }));
    } else if (line.trim() === '') {
      open = undefined;
    } else if (/^ {0,3}#{1,6}(?:\s|$)/u.test(line)) {
      blocks.push({ kind: 'heading', first: at, lines: [line] });
      open = undefined;
    } else if (open !== undefined) {
      open.lines.push(line);
    } else {
      blocks.push((open = { kind: 'prose', first: at, lines: [line] }));
    }
  }
  return blocks;
}
