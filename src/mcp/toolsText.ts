// Threat: a definition hides from people what it tells a model: in characters that nobody sees, behind a line's end, in a field that no
// list shows. So the review shows each definition whole, as it was sent, with hidden characters as their codes, in lines that fit.
import { showHidden } from '../approvals/showHidden.ts';
import type { McpTool } from './definitions.ts';
import type { Inspection } from './mcpServers.ts';

/** So many stand in an editor beside a chat. */
const maxLine = 88;
/** A line that stands further in leaves room for what it says. */
const maxIndent = 40;

/** What a server brings now, as a person reads it before a yes: one tool, or all. Pure. */
export function describeTools(inspection: Inspection, only?: string): string {
  const { name, brings } = inspection;
  const { tools = [], problems = [], changes, isAgreed = false } = brings ?? {};
  const left = leftOutOf(inspection);
  const head = [
    isAgreed
      ? `${name}: ${count(tools.length - left.length)} that you agreed to`
      : `${name}: ${count(tools.length)}, as the server defines them now`,
    ...names(
      'Changed',
      (changes?.changed ?? []).map((each) => each.name),
    ),
    ...names('New', changes?.added ?? []),
    ...names('Gone', changes?.removed ?? []),
    ...names('Left out by you', left),
    ...problems.map((problem) => `Left out: ${problem}`),
  ];
  const isLeft = ({ tool }: (typeof tools)[number]): boolean => left.includes(tool.name);
  // Beside what was agreed to they would pass for new.
  const isBeside = changes !== undefined && !isAgreed;
  const all = [...tools.filter((each) => !isLeft(each)), ...(isBeside ? [] : tools.filter(isLeft))];
  const shown = only === undefined ? all : tools.filter(({ tool }) => tool.name === only);
  return join([
    ...(only === undefined ? head : [`${only} of ${name}`]),
    ...shown.flatMap((each) => [
      ...toolLines(each.tool, isLeft(each) ? ' (left out by you)' : ''),
      ...each.warnings.map((warning) => `  Warning: ${warning}`),
    ]),
  ]);
}

/** What was agreed to, in the same form. Pure. */
export function describeAgreedTools(inspection: Inspection, only?: string): string {
  const { name, brings } = inspection;
  const { agreed = [] } = brings ?? {};
  const shown = agreed.filter((tool) => only === undefined || tool.name === only);
  return join([
    ...(only === undefined
      ? [
          `${name}: ${count(agreed.length)} that you agreed to`,
          ...names('Left out by you', leftOutOf(inspection)),
        ]
      : [`${only} of ${name}`]),
    ...shown.flatMap((tool) => toolLines(tool)),
  ]);
}

/** Those that the server has now. */
function leftOutOf({ brings }: Inspection): readonly string[] {
  const { tools = [], leftOut = [] } = brings ?? {};
  return tools.map(({ tool }) => tool.name).filter((name) => leftOut.includes(name));
}

function names(label: string, list: readonly string[]): readonly string[] {
  return list.length === 0 ? [] : [`${label}: ${list.join(', ')}`];
}

/**
 * What a yes is for and nobody has agreed to, each definition whole: all tools at first, then each changed one as it was and as it is, and
 * those that are new. Empty where nothing is. Pure.
 */
export function describeNews(inspection: Inspection): string {
  const { brings } = inspection;
  if (brings === undefined || brings.isAgreed) return '';
  if (brings.changes === undefined) return describeTools(inspection);
  const { changed, added, removed } = brings.changes;
  const one = (name: string): string => describeTools(inspection, name);
  return [
    ...changed.map(({ name }) => `Was: ${describeAgreedTools(inspection, name)}\nIs: ${one(name)}`),
    ...added.map((name) => `New: ${one(name)}`),
    ...removed.map((name) => join([`Gone: ${name}`])),
  ].join('\n');
}

function toolLines({ name, description, raw }: McpTool, mark = ''): readonly string[] {
  return [
    '',
    `${name}${mark}`,
    ...description.split('\n').map((line) => `  ${line}`),
    ...definitionLines(raw),
  ];
}

function definitionLines(raw: unknown): readonly string[] {
  return JSON.stringify(raw, undefined, 2)
    .split('\n')
    .map((line) => `  ${line}`);
}

function count(tools: number): string {
  return tools === 1 ? '1 tool' : `${String(tools)} tools`;
}

function join(lines: readonly string[]): string {
  return `${lines.flatMap((line) => wrap(showHidden(line))).join('\n')}\n`;
}

/** Lines of at most `maxLine` characters, those that go on further in. */
function wrap(line: string): readonly string[] {
  const indent = /^ */u.exec(line)?.[0].slice(0, maxIndent) ?? '';
  const lines: string[] = [];
  let lead = '';
  let at = 0;
  while (lead.length + line.length - at > maxLine) {
    const room = maxLine - lead.length;
    const space = line.slice(at, at + room + 1).lastIndexOf(' ');
    const end = at + (lead.length + space > indent.length + 4 ? space : room);
    lines.push(`${lead}${line.slice(at, end)}`);
    for (at = end; line[at] === ' ';) at += 1;
    lead = `${indent}    `;
  }
  return [...lines, `${lead}${line.slice(at)}`];
}
