import * as vscode from 'vscode';
import { escapeMarkdown, inertLine, truncate } from '../../base/text.ts';
import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import { isRecord } from '../../base/json.ts';
import { isShownWhole } from '../../approvals/fullCall.ts';
import { showHiddenLine } from '../../approvals/showHidden.ts';
import { askersText, requestName, resolutionText } from '../approvals/approvalTexts.ts';
import { shownParamsBlock } from '../approvals/shownParams.ts';
import type { CommandId } from '../commandTable.ts';
import { reviewOf } from '../review/reviewOf.ts';
import { countText, openReviewText } from '../review/reviewTexts.ts';
import { createLinkReader, type AnswerPiece } from './createLinkReader.ts';

export interface RunRendering {
  readonly stream: vscode.ChatResponseStream;
  readonly start: (emit: (event: AgentEvent) => void) => Promise<RunOutcome>;
  /** Called right after the first text of a model went to the panel. */
  readonly onFirstText: () => void;
}

/**
 * Streams a run into the panel. The panel folds away everything before the last markdown part once the answer is done, so
 * what must stay in sight (blocked calls, changed files) is said again at the end.
 */
export async function renderRun({ stream, start, onFirstText }: RunRendering): Promise<RunOutcome> {
  const notes: Note[] = [];
  const links = createLinkReader();
  let needsBreak = false;
  let hasText = false;
  let runId: string | undefined;
  const show = (pieces: readonly AnswerPiece[]): void => {
    for (const piece of pieces) {
      if (needsBreak) stream.markdown('\n\n');
      needsBreak = false;
      showPiece(stream, piece);
      if (!hasText) onFirstText();
      hasText = true;
    }
  };
  const outcome = await start((event) => {
    switch (event.type) {
      case 'text':
        show(links.push(event.text));
        break;
      case 'tool_started':
        stream.progress(event.label);
        break;
      case 'tool_progress':
        stream.progress(inertLine(event.text, 120));
        break;
      case 'approval_requested':
        renderApproval(stream, event.request);
        break;
      case 'tool_ended':
        notes.push(...noteOf(event));
        needsBreak = true;
        break;
      case 'message':
        show(links.flush());
        if (event.message.stopReason === 'length') {
          notes.push({
            icon: 'warning',
            text: vscode.l10n.t("The answer was cut at the model's output limit."),
          });
        }
        break;
      case 'approval_resolved':
        // Says under the buttons that they are no longer needed.
        stream.markdown(`*${answerText(event)}: ${escapeMarkdown(requestName(event.request))}*\n\n`);
        break;
      case 'run_started':
        runId = event.runId;
        break;
      case 'run_ended':
        break;
    }
  });
  show(links.flush());
  for (const note of notes) showNote(stream, note);
  const hasChanges = notes.some((note) => note.file !== undefined);
  if (hasChanges && runId !== undefined) stream.markdown(trusted(`\n\n${checkpointLinks(runId)}`));
  return outcome;
}

/** What the turn changed, and the way back. */
function checkpointLinks(turnId: string): string {
  const argument = encodeURIComponent(JSON.stringify([{ turnId }]));
  const show = `[${vscode.l10n.t('Show changes')}](command:pincer.checkpoints.show?${argument})`;
  return `$(history) ${show} · [${vscode.l10n.t('Restore…')}](command:pincer.checkpoints.restore?${argument})`;
}

function showPiece(stream: vscode.ChatResponseStream, piece: AnswerPiece): void {
  if (piece.kind === 'text') {
    stream.markdown(piece.text);
    return;
  }
  const location = toLocation(piece.href);
  if (location === undefined) stream.markdown(escapeMarkdown(piece.title));
  else stream.anchor(location, piece.title);
}

/** `file:///a.md#L8` is the start of line 8. Undefined for what only looks like an address: a model wrote it. */
function toLocation(href: string): vscode.Uri | vscode.Location | undefined {
  if (!URL.canParse(href)) return undefined;
  const uri = vscode.Uri.parse(href);
  const line = /^L(?<line>\d+)/u.exec(uri.fragment)?.groups?.['line'];
  const file = uri.with({ fragment: '' });
  return line === undefined
    ? file
    : new vscode.Location(file, new vscode.Position(Math.max(0, Number(line) - 1), 0));
}

/** The same question as in the notification and in the Approvals view. */
function renderApproval(stream: vscode.ChatResponseStream, request: ApprovalRequest): void {
  const isOurs = request.askers.every((asker) => asker === 'host');
  const by = isOurs ? '' : ` · ${vscode.l10n.t('asked by {0}', askersText(request.askers))}`;
  const icon = { info: '$(info)', warning: '$(warning)', critical: '$(error)' }[request.severity];
  const what = `${icon} **${escapeMarkdown(request.title)}** ${escapeMarkdown(request.description + by)}`;
  const params = isShownWhole(request) ? '' : shownParamsBlock(request);
  stream.markdown(trusted(`\n\n${what}${params}\n\n${otherChoices(request)}\n\n`));
  for (const { title, command } of answerButtons(request))
    stream.button({ title, command, arguments: [{ approvalId: request.id }] });
  stream.progress(vscode.l10n.t('Waiting for your answer'));
}

/** Of several changes a part may be taken: then the buttons say that they mean all. */
function answerButtons(request: ApprovalRequest): readonly { title: string; command: CommandId }[] {
  return reviewOf(request).countOf().total > 1
    ? [
        { title: vscode.l10n.t('Accept all'), command: 'pincer.review.acceptAll' },
        { title: vscode.l10n.t('Reject all'), command: 'pincer.review.reject' },
      ]
    : [
        { title: vscode.l10n.t('Allow once'), command: 'pincer.approvals.allowOnce' },
        { title: vscode.l10n.t('Deny'), command: 'pincer.approvals.deny' },
      ];
}

/** `Allowed once, 2 of 3 hunks accepted` where a part was rejected. */
function answerText({ request, resolution }: Extract<AgentEvent, { type: 'approval_resolved' }>): string {
  const review = reviewOf(request);
  const isAllowed = resolution === 'allow-once' || resolution === 'allow-always';
  const part =
    isAllowed && review.choiceOf() === 'partial'
      ? `, ${vscode.l10n.t('{0} accepted', countText(review))}`
      : '';
  return `${resolutionText(resolution)}${part}`;
}

function otherChoices(request: ApprovalRequest): string {
  const links: string[] = [];
  if (request.edits.length > 0)
    links.push(commandLink(openReviewText(reviewOf(request)), 'pincer.approvals.showDiff', request.id));
  if (!isShownWhole(request))
    links.push(commandLink(vscode.l10n.t('Show whole call'), 'pincer.approvals.showCall', request.id));
  if (request.decisions.includes('allow-always')) {
    const title = vscode.l10n.t('Always allow {0}', escapeMarkdown(request.grantLabel));
    links.push(commandLink(title, 'pincer.approvals.allowAlways', request.id));
  }
  return links.join(' · ');
}

function commandLink(title: string, command: string, approvalId: string): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([{ approvalId }]))})`;
}

/** What stays in sight under the answer: what was stopped and by whom, and which files changed. */
interface Note {
  readonly icon: string;
  /** Markdown of our own making. */
  readonly text: string;
  /** Absolute path of the file it is about. */
  readonly file?: string;
}

function noteOf(event: Extract<AgentEvent, { type: 'tool_ended' }>): readonly Note[] {
  const { details } = event.result;
  if (!isRecord(details)) return [];
  const reason = typeof details['reason'] === 'string' ? `: ${escapeMarkdown(details['reason'])}` : '';
  const call = `\`${event.call.name.replaceAll('`', '')}\``;
  switch (details['status']) {
    case 'blocked':
      return [
        {
          icon: 'circle-slash',
          text: `${vscode.l10n.t('{0} was blocked by {1}', call, blockerOf(details))}${reason} · ${whyLink()}`,
        },
      ];
    case 'denied':
      return [{ icon: 'x', text: deniedText(call, details['reason']) }];
    case 'running':
      return event.call.name === 'exec' ? [{ icon: 'terminal', text: startedText(details['command']) }] : [];
    default:
      return (Array.isArray(details['files']) ? details['files'] : [details]).flatMap(changeNote);
  }
}

/** What a tool that changes files tells of one of them. */
function changeNote(change: unknown): readonly Note[] {
  if (!isRecord(change) || typeof change['file'] !== 'string') return [];
  const { status, file } = change;
  switch (status) {
    case 'created':
      return [{ icon: 'edit', text: vscode.l10n.t('Created'), file }];
    case 'changed':
      return [{ icon: 'edit', text: vscode.l10n.t('Changed'), file }];
    case 'deleted':
      return [{ icon: 'trash', text: vscode.l10n.t('Deleted'), file }];
    default:
      return [];
  }
}

function deniedText(call: string, reason: unknown): string {
  if (reason === 'Denied by user') return vscode.l10n.t('You denied {0}', call);
  const why = typeof reason === 'string' ? `: ${escapeMarkdown(reason.replace(/^Denied: /u, ''))}` : '';
  return vscode.l10n.t('{0} was denied', call) + why;
}

/** A command outlives its turn: it must not run unseen. */
function startedText(command: unknown): string {
  const name = typeof command === 'string' ? escapeMarkdown(truncate(showHiddenLine(command), 80)) : '';
  const show = `[${vscode.l10n.t('Show')}](command:pincer.jobs.show)`;
  return `${vscode.l10n.t('Started in the background: {0}', name)} · ${show}`;
}

/** Leads to the run, step by step. */
function whyLink(): string {
  return `[${vscode.l10n.t('Show the run')}](command:pincer.runs.showLast)`;
}

function showNote(stream: vscode.ChatResponseStream, { icon, text, file }: Note): void {
  stream.markdown(trusted(`\n\n$(${icon}) ${text} `));
  if (file !== undefined) stream.anchor(vscode.Uri.file(file));
}

function blockerOf(details: Record<string, unknown>): string {
  const pluginId = details['pluginId'];
  return typeof pluginId === 'string'
    ? vscode.l10n.t('plugin {0}', `**${escapeMarkdown(pluginId)}**`)
    : vscode.l10n.t('a rule of Pincer');
}

/** Markdown of our own making: theme icons and these commands of ours work, nothing else does. */
function trusted(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text, true);
  markdown.isTrusted = {
    enabledCommands: [
      'pincer.approvals.showDiff',
      'pincer.approvals.showCall',
      'pincer.approvals.allowAlways',
      'pincer.runs.showLast',
      'pincer.jobs.show',
      'pincer.checkpoints.show',
      'pincer.checkpoints.restore',
    ],
  };
  return markdown;
}
