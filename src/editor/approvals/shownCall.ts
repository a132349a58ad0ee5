// Threat: the tail of a long command does the harm, out of sight behind a cut or the edge of a code block. What is shown here
// wraps, hidden characters stand as codes, nothing inside can become a link, and a cut is told as one.
import { changeText, diffShowsAll, isShownWhole } from '../../approvals/fullCall.ts';
import { showHidden, showHiddenLine } from '../../approvals/showHidden.ts';
import { truncate } from '../../base/text.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';

const longestParams = 4_000;
/** More than this nobody reads above a button: the whole call has an editor of its own. */
const longestCall = 1_200;
/** Of a call that is cut only so much of its parts stands there. */
const mostParts = 10;
const longestPart = 100;

/** The parameters of a call that no diff shows, as JSON with hidden characters as codes; undefined where a diff shows them. Pure. */
export function shownParams(request: ApprovalRequest): string | undefined {
  if (request.edits.length > 0 || Object.keys(request.params).length === 0) return undefined;
  const json = showHidden(JSON.stringify(request.params, null, 2));
  return json.length <= longestParams
    ? json
    : `${json.slice(0, longestParams)}\n… (${String(json.length)} characters in all)`;
}

/** What the question itself does not say of a call. */
export interface ShownCall {
  /** Markdown; empty where nothing is left to say. */
  readonly markdown: string;
  /** False where it was cut: then a yes has to wait for the whole call. */
  readonly isWhole: boolean;
}

/**
 * A call below its question: commands line by line, with their parts where there are several, addresses, and the parameters that
 * say something else; of an edit what it changes. Pure.
 */
export function shownCall(request: ApprovalRequest): ShownCall {
  const { effects = [], params } = request;
  if (diffShowsAll(request)) return shownChange(request);
  const hasParts = effects.some((effect) => effect.kind === 'execute' && effect.parts !== undefined);
  if (isShownWhole(request) && !hasParts) return { markdown: '', isWhole: true };
  const said = effects.map((effect) => (effect.kind === 'execute' ? effect.command : effect.url));
  const whole = said.map((text) => literalLines(text));
  const parts = effects.map((effect) => (effect.kind === 'execute' ? listOf(effect.parts ?? []) : ''));
  const others = Object.entries(params)
    .filter(([, value]) => typeof value !== 'string' || !said.includes(value))
    .map(([name, value]) => `- ${literal(name)}: ${literalLines(textOf(value))}`)
    .join('\n');
  // The parts are only an overview.
  const markdown = [join([...whole, ...parts, others]), join([...whole, others])].find(
    (each) => each.length <= longestCall,
  );
  if (markdown !== undefined) return { markdown, isWhole: true };
  const text = said.length > 0 ? said.join('\n') : JSON.stringify(params);
  const ends = literalLines(`${text.slice(0, 400)} … ${text.slice(-200)}`);
  const cut = `${ends}  \n(${String(text.length)} characters in all)`;
  return { markdown: join([...overview(request), cut]), isWhole: false };
}

/** A part of a change says nothing about the rest: it stands there whole or not at all. */
function shownChange({ edits }: ApprovalRequest): ShownCall {
  const markdown = literalLines(changeText(edits));
  return markdown.length <= longestCall ? { markdown, isWhole: true } : { markdown: '', isWhole: false };
}

/** What is to be known before the ends of a call that is cut: why it is asked, where the question does not say so, and its parts. */
function overview({ description, effects = [] }: ApprovalRequest): readonly string[] {
  return effects.flatMap((effect) => {
    if (effect.kind !== 'execute') return [];
    const reason = showHiddenLine(effect.reason);
    const parts = (effect.parts ?? []).map((part) => truncate(part, longestPart));
    const more = parts.length - mostParts;
    return [
      description.includes(reason) ? '' : literal(reason),
      listOf(parts.slice(0, mostParts)),
      more > 0 ? `(${String(more)} more parts)` : '',
    ];
  });
}

function join(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listOf(parts: readonly string[]): string {
  return parts.map((part, at) => `${String(at + 1)}. ${literalLines(part, '\n   ')}`).join('\n');
}

/** Each line as code of its own: unlike a code block it wraps. */
function literalLines(text: string, lineEnd = '\n'): string {
  return text
    .split('\n')
    .filter((line, at) => line !== '' || at === 0)
    .map(literal)
    .join(`  ${lineEnd}`);
}

/** One line as inline code that nothing inside can end: a blank line would. Hidden characters stand as codes. */
function literal(line: string): string {
  const text = showHiddenLine(line);
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/gu)].map((run) => run[0].length));
  const fence = '`'.repeat(longestRun + 1);
  // A space at both ends is taken off again; without it, a backtick at an end would lengthen the fence.
  return `${fence} ${text} ${fence}`;
}
