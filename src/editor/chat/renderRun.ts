import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import { isRecord } from '../../base/json.ts';
import { createLinkReader, type AnswerPiece } from './createLinkReader.ts';
import { fileLink } from '../openEditorRuntime.ts';

/**
 * Streams a run into the panel. The panel folds away everything before the last markdown part once the answer is done, so
 * what must stay in sight (blocked calls, changed files) is said again at the end.
 */
export async function renderRun(
  stream: vscode.ChatResponseStream,
  start: (emit: (event: AgentEvent) => void) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const notes: string[] = [];
  const links = createLinkReader();
  let needsBreak = false;
  const show = (pieces: readonly AnswerPiece[]): void => {
    for (const piece of pieces) {
      if (needsBreak) stream.markdown('\n\n');
      needsBreak = false;
      showPiece(stream, piece);
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
        break;
      case 'approval_resolved':
      case 'run_started':
      case 'run_ended':
        break;
    }
  });
  show(links.flush());
  for (const note of notes) {
    stream.markdown('\n\n');
    show([...links.push(note), ...links.flush()]);
  }
  return outcome;
}

function showPiece(stream: vscode.ChatResponseStream, piece: AnswerPiece): void {
  if (piece.kind === 'text') stream.markdown(piece.text);
  else stream.anchor(toLocation(piece.href), piece.title);
}

/** `file:///a.md#L8` is the start of line 8. */
function toLocation(href: string): vscode.Uri | vscode.Location {
  const uri = vscode.Uri.parse(href);
  const line = /^L(?<line>\d+)/u.exec(uri.fragment)?.groups?.['line'];
  const file = uri.with({ fragment: '' });
  return line === undefined ? file : new vscode.Location(file, new vscode.Position(Number(line) - 1, 0));
}

/** The same question as in the notification and in the Approvals view. */
function renderApproval(stream: vscode.ChatResponseStream, request: ApprovalRequest): void {
  const askers = request.askers.filter((asker) => asker !== 'host');
  const by = askers.length === 0 ? '' : ` · ${vscode.l10n.t('asked by plugin {0}', askers.join(', '))}`;
  const icon = request.severity === 'info' ? '$(info)' : '$(warning)';
  stream.markdown(
    trusted(
      `\n\n${icon} **${escapeMarkdown(request.title)}**\n\n${escapeMarkdown(request.description)}${escapeMarkdown(by)}\n\n${otherChoices(request)}\n\n`,
    ),
  );
  const argument = [{ approvalId: request.id }];
  stream.button({
    command: 'pincer.approvals.allowOnce',
    title: vscode.l10n.t('Allow once'),
    arguments: argument,
  });
  stream.button({ command: 'pincer.approvals.deny', title: vscode.l10n.t('Deny'), arguments: argument });
}

function otherChoices(request: ApprovalRequest): string {
  const links: string[] = [];
  if (request.edits.length > 0)
    links.push(commandLink(vscode.l10n.t('Show diff'), 'pincer.approvals.showDiff', request.id));
  if (request.decisions.includes('allow-always')) {
    const title = vscode.l10n.t('Always allow {0}', escapeMarkdown(request.grantLabel));
    links.push(commandLink(title, 'pincer.approvals.allowAlways', request.id));
  }
  links.push(escapeMarkdown(`/approve ${request.id.slice(0, 8)} …`));
  return links.join(' · ');
}

function commandLink(title: string, command: string, approvalId: string): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([{ approvalId }]))})`;
}

function noteOf(event: Extract<AgentEvent, { type: 'tool_ended' }>): readonly string[] {
  const { details } = event.result;
  if (!isRecord(details)) return [];
  const reason = typeof details['reason'] === 'string' ? `: ${escapeMarkdown(details['reason'])}` : '';
  const call = `\`${event.call.name}\``;
  if (details['status'] === 'blocked') {
    return [
      `- $(circle-slash) ${vscode.l10n.t('{0} was blocked by {1}', call, blockerOf(details))}${reason}`,
    ];
  }
  if (details['status'] === 'denied') return [`- $(x) ${vscode.l10n.t('{0} was denied', call)}${reason}`];
  const path = details['path'];
  const label = details['label'];
  if (details['status'] === 'edited' && typeof path === 'string' && typeof label === 'string') {
    return [`- $(edit) ${vscode.l10n.t('Changed')} [${escapeMarkdown(label)}](${fileLink(path)})`];
  }
  return [];
}

function blockerOf(details: Record<string, unknown>): string {
  const pluginId = details['pluginId'];
  return typeof pluginId === 'string'
    ? vscode.l10n.t('plugin {0}', `**${escapeMarkdown(pluginId)}**`)
    : vscode.l10n.t('a rule of Pincer');
}

/** Markdown of our own making: theme icons and our approval commands work, nothing else does. */
function trusted(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text, true);
  markdown.isTrusted = {
    enabledCommands: ['pincer.approvals.showDiff', 'pincer.approvals.allowAlways'],
  };
  return markdown;
}
