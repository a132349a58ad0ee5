import type { ToolDefinition } from '../../contracts/tool.ts';
import { inertLink, inertProse, fenced } from './inertMarkdown.ts';
import { planExcerpt, type Excerpt } from './planExcerpt.ts';
import { readPassageBlocks, type PassageBlock } from './readPassageBlocks.ts';
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
    "I can't make this change: I am no AI, and carry out plain commands only. Add a model and ask again: it edits files, and you see each change before it is made.",
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
