// Threat: what a person approves is longer than what a notification shows, and the tail does the harm. Here stands the whole
// call. Only our own headings begin at the margin, so nothing inside a command can pass for one, and hidden characters show.
import { structuredPatch } from 'diff';
import type { ApprovalRequest, Surface } from '../contracts/approval.ts';
import type { ExecuteEffect, FileEdit, NetworkEffect } from '../contracts/tool.ts';
import { plural, truncate, widthOf } from '../base/text.ts';
import type { ShownPlace } from './approvalBroker.ts';
import { showHidden, showHiddenLine } from './showHidden.ts';
import { surfaces } from './surfaces.ts';

const maxPart = 100;

/** The complete call as text: the question and why it is asked, then what runs, what changes, and every parameter. Pure. */
export function fullCall(request: ApprovalRequest): string {
  const { effects = [], edits, params } = request;
  const names = Object.keys(params);
  return [
    section('Question', questionLines(request)),
    ...environmentSection(params['env']),
    ...effects.map((effect) =>
      effect.kind === 'execute' ? commandSection(effect) : connectionSection(effect),
    ),
    ...edits.map(changeSection),
    names.length === 0
      ? section('Parameters', ['none'])
      : section('Parameters', showHidden(JSON.stringify(params, null, 2)).split('\n')),
  ].join('\n');
}

/**
 * The description without the parameters at its end, which stand by themselves wherever the call is shown: a call of an MCP server has
 * nothing else to say where nothing shows it. What plugins say stays whole. Pure.
 */
export function withoutParams({
  description,
  params,
  askers,
  edits,
  effects = [],
}: Pick<ApprovalRequest, 'description' | 'params' | 'askers' | 'edits' | 'effects'>): string {
  const isOurs = askers.every((asker) => asker === 'host');
  const stand = edits.length + effects.length === 0 && Object.keys(params).length > 0;
  if (!isOurs || !stand) return description;
  // Of long ones the end is cut there.
  const at = description.indexOf(showHiddenLine(JSON.stringify(params)).slice(0, 20));
  return at === -1 ? description : description.slice(0, at).replace(/: $/u, '');
}

/** True where changes of files are all there is to the call. Pure. */
export function diffShowsAll({ edits, effects = [] }: Pick<ApprovalRequest, 'edits' | 'effects'>): boolean {
  return edits.length > 0 && effects.length === 0;
}

/** What an edit changes, as text; hidden characters stand as codes. Pure. */
export function changeText(edits: readonly FileEdit[]): string {
  return edits.map(changeSection).join('\n');
}

/**
 * True where title and description already say everything that the call says: a command or an address, uncut, without hidden
 * characters, and no parameter beside it. They never say all of an edit. Pure.
 */
export function isShownWhole({ title, description, params, edits, effects = [] }: ApprovalRequest): boolean {
  if (edits.length > 0) return false;
  const said = saidBy(effects);
  const isVisible = (text: string): boolean =>
    showHiddenLine(text) === text && `${title}\n${description}`.includes(text);
  const isCut = title.endsWith('…') || description.endsWith('…');
  // Each of them stands for one parameter: an environment or an option that repeats the command's words is another thing.
  const values = Object.values(params);
  const isSaid = values.every((value) => typeof value === 'string' && said.includes(value));
  return !isCut && said.every(isVisible) && isSaid && new Set(values).size === values.length;
}

/**
 * Whether all of the call was before the user who answers on this surface; `shownOn`: where it was shown whole. Pure.
 */
export function isShownTo(request: ApprovalRequest, shownOn: ReadonlySet<ShownPlace>, by: Surface): boolean {
  const { shows, isApart, room } = surfaces[by];
  return (
    (isApart !== true && isShownWhole(request) && fitsIn(request, room)) ||
    shownOn.has('call') ||
    (shownOn.has('diff') && diffShowsAll(request)) ||
    (shows !== undefined && shownOn.has(shows))
  );
}

/** The commands and addresses of a call, as they are. Pure. */
export function saidBy(effects: NonNullable<ApprovalRequest['effects']>): readonly string[] {
  return effects.map((effect) => (effect.kind === 'execute' ? effect.command : effect.url));
}

/**
 * The parts of a command that do not stand there anyway, as the command itself or as its lines. What a part sets and redirects is
 * listed behind it only where a row of so many characters cuts the part. Pure.
 */
export function partsOf(
  effect: NonNullable<ApprovalRequest['effects']>[number],
  longest = Infinity,
): readonly string[] {
  if (effect.kind !== 'execute' || effect.parts === undefined) return [];
  const { command } = effect;
  const rows = effect.parts.flatMap(({ text, pieces = [] }) =>
    showHiddenLine(text).length <= longest ? [text] : [text, ...pieces],
  );
  const lines = command.split('\n').filter((line) => line.trim() !== '');
  return lines.length === rows.length && lines.every((line, at) => line.trim() === rows[at])
    ? []
    : rows.filter((row) => row.trim() !== command.trim());
}

/** A row that is cut at its end has to show the title and what is done; the words of its asker where it names nothing that is done. */
function fitsIn({ title, description, effects = [] }: ApprovalRequest, room = Infinity): boolean {
  const said = saidBy(effects);
  return widthOf([title, ...(said.length === 0 ? [description] : said)].join(' ')) <= room;
}

function commandSection(effect: ExecuteEffect): string {
  const { command, workdir, host, reason } = effect;
  const parts = partsOf(effect, maxPart);
  const lines = showHidden(command).split('\n');
  const size = `${plural(lines.length, 'line')}, ${plural(command.length, 'character')}`;
  const place = host === 'sandbox' ? 'the sandbox, without network' : 'this computer';
  return [
    section('Runs', [showHiddenLine(reason), `on ${place}`, `in ${showHiddenLine(workdir)}`]),
    // Only an overview: the command stands below, whole.
    ...(parts.length === 0
      ? []
      : [
          section(
            'Parts',
            parts.map((part, at) => `${String(at + 1)}. ${truncate(showHiddenLine(part), maxPart)}`),
          ),
        ]),
    section(`Command (${size})`, lines),
  ].join('\n');
}

function connectionSection({ url, host }: NetworkEffect): string {
  return section('Connection', [showHiddenLine(url), `to ${showHiddenLine(host)}`]);
}

/** The names alone; the values stand with the parameters. */
function environmentSection(env: unknown): readonly string[] {
  if (typeof env !== 'object' || env === null) return [];
  const names = Object.keys(env);
  return names.length === 0 ? [] : [section('Environment', names.map(showHiddenLine))];
}

function questionLines(request: ApprovalRequest): readonly string[] {
  const { title, toolName, askers, severity, decisions, grantLabel } = request;
  const description = withoutParams(request);
  return [
    title,
    ...(description === '' ? [] : [description]),
    `tool: ${showHiddenLine(toolName)}`,
    `asked by: ${askers.map((asker) => (asker === 'host' ? 'Pincer' : `plugin ${showHiddenLine(asker)}`)).join(', ')}`,
    `severity: ${severity}`,
    ...(decisions.includes('allow-always') ? [`"always" covers: ${grantLabel}`] : []),
  ];
}

function changeSection({ label, before, after }: FileEdit): string {
  const verb = before === null ? 'New file' : after === null ? 'Deleted file' : 'Changed file';
  return section(`${verb}: ${showHiddenLine(label)}`, changedLines(before ?? '', after ?? ''));
}

/** A unified diff; texts that differ too much to compare stand there as they are, one after the other. */
function changedLines(before: string, after: string): readonly string[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: 2_000 });
  if (patch === undefined) return [...marked(before, '-'), ...marked(after, '+')];
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.map(showHidden),
  ]);
}

function marked(text: string, mark: string): readonly string[] {
  return showHidden(text)
    .split('\n')
    .map((line) => mark + line);
}

function section(heading: string, lines: readonly string[]): string {
  return `${heading}\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
