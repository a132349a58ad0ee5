// Threat: the tail of a long command does the harm, out of sight behind a cut or the edge of a code block. What is shown here
// wraps, hidden characters stand as codes, nothing inside can become a link, and a cut is told as one. A yes is offered only where question,
// call and buttons fit into the panel together: the panel scrolls to the buttons, and what is above them may be out of sight.
import { askedAbout } from '../../approvals/askedAbout.ts';
import {
  changeText,
  diffShowsAll,
  isShownWhole,
  partsOf,
  saidBy,
  withoutParams,
} from '../../approvals/fullCall.ts';
import { showHidden, showHiddenLine } from '../../approvals/showHidden.ts';
import { escapeMarkdown, truncate, widthOf } from '../../base/text.ts';
import type { QuestionGroup } from '../../approvals/groupQuestions.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';

const longestParams = 4_000;
/** What a panel of the default width shows: characters in a row, and rows above the buttons. */
const rowLength = 27;
const maxRows = 18;
/** Of the parts' numbers, such as `10. `. */
const longestMark = 4;
/** How many rows an overview of a command's parts may take, from what is wanted to what is needed. */
const overviewRows = [9, 8, 7, 6, 5, 4, 3] as const;

/** The parameters of a call that no diff shows, as JSON with hidden characters as codes; undefined where a diff shows them. Pure. */
export function shownParams(request: ApprovalRequest): string | undefined {
  if (request.edits.length > 0 || Object.keys(request.params).length === 0) return undefined;
  const json = showHidden(JSON.stringify(request.params, null, 2));
  return json.length <= longestParams
    ? json
    : `${json.slice(0, longestParams)}\n… (${String(json.length)} characters in all)`;
}

/** A question with its call. */
export interface ShownCall {
  /** What of the description stands behind the title: not the command, where that stands below. */
  readonly description: string;
  /** What of it stands below the command instead: why Pincer asks. Empty where nothing does. */
  readonly reason: string;
  /** What the question itself does not say of the call. Markdown; empty where nothing is left to say. */
  readonly markdown: string;
  /** False where it was cut, or does not fit beside its question: then a yes has to wait for the whole call. */
  readonly isWhole: boolean;
}

/**
 * A call below its question: commands line by line, with their parts where there are several, addresses, and the parameters that
 * say something else; of an edit what it changes. `beside` are the other texts that have to be in sight with it, such as its choices; `room`:
 * how many rows there are for all of it. Pure.
 */
export function shownCall(
  request: ApprovalRequest,
  { beside = [], room = maxRows }: { readonly beside?: readonly string[]; readonly room?: number } = {},
): ShownCall {
  const { title, effects = [], params } = request;
  const fits = (description: string, blocks: readonly Block[], rows = room): boolean => {
    const texts = [`${title} ${description}`, ...beside].filter((text) => text !== '');
    return sumOf([...texts.map(rowsOf), ...blocks.map(heightOf)]) <= rows;
  };
  if (diffShowsAll(request)) {
    const { description } = request;
    const change: readonly Block[] = [[{ text: changeText(request.edits) }]];
    // A part of a change says nothing about the rest: it stands there whole or not at all.
    const isWhole = fits(description, change);
    return { description, reason: '', markdown: isWhole ? markdownOf(change) : '', isWhole };
  }
  const parts = effects.map((effect) => partsOf(effect));
  const isSaid = isShownWhole(request) && parts.every((each) => each.length === 0);
  const description = descriptionAbove(request);
  // A command stands by itself, however short it is, and so do arguments.
  const isApart = description !== request.description;
  if (isSaid && !isApart && fits(description, []))
    return { description, reason: '', markdown: '', isWhole: true };
  const said = saidBy(effects);
  const others = Object.entries(params)
    .filter(([, value]) => typeof value !== 'string' || !said.includes(value))
    .map(([name, value]) => ({ mark: '- ', name, text: textOf(value) }));
  // The parts whole where all of it is short, or an overview of as many as there is room for.
  const lists = [
    parts.map((each) => each.map(numbered)),
    ...overviewRows.map((rows) => effects.map((effect) => partsOverview(effect, rowLength, rows))),
  ];
  const whole = lists
    .map((list): readonly Block[] => [...said.map((text) => [{ text }]), ...list, others])
    .find((blocks, at) => fits(description, blocks, at === 0 ? Math.min(room, maxRows) : room));
  if (whole !== undefined) {
    const texts = isApart ? { description: '', reason: description } : { description, reason: '' };
    return { ...texts, markdown: markdownOf(whole), isWhole: true };
  }
  const [most] = overviewRows;
  const cut = [
    ...effects.flatMap((effect) => [
      reasonOf(effect, description),
      partsOverview(effect, 2 * rowLength, most),
    ]),
    ...endsOf(said.length > 0 ? said.join('\n') : JSON.stringify(params)),
  ];
  return { description, reason: '', markdown: markdownOf(cut), isWhole: false };
}

/** What one yes to several questions allows, by name: a line each, and the same as markdown. */
interface NamedQuestions {
  readonly lines: readonly string[];
  readonly markdown: string;
}

/** How long a name may be. Each was shown whole before it may be answered with others. */
const longestName = 60;
/** How many names stand in the chat. */
const maxNames = 8;

/** The questions of a group in the order in which they were asked; of many the first and the last. Pure. */
export function namedQuestions({ requests }: QuestionGroup): NamedQuestions {
  // Two pages of one host are two questions.
  const names = requests.map((request) => askedAbout(request, 'url') ?? request.title);
  const block = overviewOf(names, longestName, maxNames, 'questions');
  return {
    lines: block.map((each) => ('said' in each ? each.said : `${each.mark ?? ''}${each.text}`)),
    markdown: markdownOf([block]),
  };
}

/** The question without the command or the parameters, where they stand below it; what plugins add must not be lost with it. */
function descriptionAbove(request: ApprovalRequest): string {
  const { askers, description, effects = [] } = request;
  const [effect, ...others] = effects;
  if (effect === undefined) return withoutParams(request);
  const isOurs = others.length === 0 && askers.every((asker) => asker === 'host');
  if (effect.kind !== 'execute' || !isOurs) return description;
  const at = description.indexOf(` · ${showHiddenLine(effect.command).slice(0, 20)}`);
  return at === -1 ? description : description.slice(0, at);
}

type Effect = NonNullable<ApprovalRequest['effects']>[number];

/** Why it is asked, where the question does not say so. */
function reasonOf(effect: Effect, description: string): Block {
  return effect.kind !== 'execute' || description.includes(showHiddenLine(effect.reason))
    ? []
    : [{ text: effect.reason }];
}

function partsOverview(effect: Effect, longest: number, rows: number): Block {
  return overviewOf(partsOf(effect, longest - longestMark), longest, rows);
}

/** So many parts at the most, each cut to so many characters. Of more the first and the last: the tail may do the harm. */
function overviewOf(parts: readonly string[], longest: number, rows: number, what = 'parts'): Block {
  const items = parts.map(showHiddenLine).map(numbered);
  const short = items.map((item) => ({ ...item, text: truncate(item.text, longest - item.mark.length) }));
  if (parts.length <= rows) return short;
  const last = Math.floor(rows / 3);
  const first = rows - 1 - last;
  const more = `(${String(parts.length - first - last)} more ${what})`;
  return [...short.slice(0, first), { said: more }, ...short.slice(-last)];
}

function numbered(text: string, at: number): Item & { readonly mark: string } {
  return { mark: `${String(at + 1)}. `, text };
}

/** What is short enough stands there whole. */
function endsOf(text: string): readonly Block[] {
  const [head, tail] = [160, 80];
  if (text.length <= head + tail) return [[{ text }]];
  return [
    [
      { text: `${text.slice(0, head)} … ${text.slice(-tail)}` },
      { said: `(${String(text.length)} characters in all)` },
    ],
  ];
}

/** What stands together, without a gap. */
type Block = readonly (Item | { readonly said: string })[];

/** Text that stands there as code, each of its lines by itself. */
interface Item {
  /** `1. ` or `- `. */
  readonly mark?: string;
  readonly name?: string;
  readonly text: string;
}

function markdownOf(blocks: readonly Block[]): string {
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.map((each) => ('said' in each ? each.said : itemMarkdown(each))).join('  \n'))
    .join('\n\n');
}

/** No list of markdown: its items are higher, and it numbers them by itself. */
function itemMarkdown({ mark = '', name, text }: Item): string {
  const before = `${escapeMarkdown(mark)}${name === undefined ? '' : `${literal(name)}: `}`;
  return `${before}${linesOf(text).map(literal).join('  \n')}`;
}

/** Rows, with the gap above it. */
function heightOf(block: Block): number {
  if (block.length === 0) return 0;
  const lines = block.flatMap((each) => {
    if ('said' in each) return [each.said];
    const { mark = '', name, text } = each;
    return linesOf(`${mark}${name === undefined ? '' : `${name}: `}${text}`);
  });
  return 1 + sumOf(lines.map((line) => rowsOf(showHiddenLine(line))));
}

/** How many rows a line takes that wraps between words; a word that is longer than a row is broken. */
function rowsOf(line: string): number {
  let rows = 1;
  let filled = 0;
  for (const word of line.split(' ')) {
    const needed = widthOf(word);
    const space = filled === 0 ? 0 : 1;
    if (filled + space + needed <= rowLength) {
      filled += space + needed;
      continue;
    }
    rows += (filled === 0 ? 0 : 1) + Math.ceil(needed / rowLength) - 1;
    filled = needed % rowLength || rowLength;
  }
  return rows;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Each becomes code of its own: unlike a code block it wraps. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line, at) => line !== '' || at === 0);
}

/** One line as inline code that nothing inside can end: a blank line would. Hidden characters stand as codes. */
function literal(line: string): string {
  const text = showHiddenLine(line);
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/gu)].map((run) => run[0].length));
  const fence = '`'.repeat(longestRun + 1);
  // A space at both ends is taken off again; without it, a backtick at an end would lengthen the fence.
  return `${fence} ${text} ${fence}`;
}
