import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import { compactionLine } from '../sessions/compactSession.ts';
import { createLinkReader, type AnswerPiece } from './createLinkReader.ts';
import { createThoughtLine } from './createThoughtLine.ts';
import { renderApproval, renderResolution } from './renderApproval.ts';
import { checkpointLinks, noteOfChange, notesOfCall, showNote, type Note } from './runNotes.ts';
import { compactionFailedText, fallbackText, retryText, saidLine, thoughtText } from './runTexts.ts';
import { trustedMarkdown } from './trustedMarkdown.ts';
import { showProgress } from './showProgress.ts';

export interface RunRendering {
  readonly stream: vscode.ChatResponseStream;
  readonly reviewOf: ReviewOf;
  /** The session of the turn; known once it has begun. */
  readonly sessionId: () => string;
  readonly start: (emit: (event: AgentEvent) => void) => Promise<RunOutcome>;
  /** Called right after the first text of a model went to the panel. */
  readonly onFirstText: () => void;
}

/**
 * Streams a run into the panel. The panel folds away everything before the last markdown part once the answer is done, so
 * what must stay in sight (blocked calls, changed files, a shortened conversation) is said at the end.
 */
export async function renderRun({
  stream,
  reviewOf,
  sessionId,
  start,
  onFirstText,
}: RunRendering): Promise<RunOutcome> {
  const notes: Note[] = [];
  const links = createLinkReader();
  const thought = createThoughtLine();
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
  const showThought = (line: string | undefined): void => {
    if (line !== undefined) showProgress(stream, thoughtText(line));
  };
  /** A line of its own, where it happened. */
  const say = (line: string): void => {
    show(links.flush());
    stream.markdown(trustedMarkdown(`\n\n${line}\n\n`));
    needsBreak = false;
  };
  const outcome = await start((event) => {
    if (event.type === 'thinking') showThought(thought.push(event.text));
    else showThought(thought.end());
    switch (event.type) {
      case 'text':
        show(links.push(event.text));
        break;
      case 'tool_started':
        showProgress(stream, event.label);
        break;
      case 'tool_progress':
        showProgress(stream, event.text);
        break;
      case 'approval_requested':
        renderApproval(stream, reviewOf(event.request));
        break;
      case 'tool_ended':
        notes.push(...notesOfCall(event));
        needsBreak = true;
        break;
      case 'subagent_changed':
        notes.push(...event.files.map(noteOfChange));
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
      case 'model_retry':
        showProgress(stream, retryText(event));
        break;
      case 'model_fallback':
        showProgress(stream, fallbackText(event));
        notes.push({ icon: 'arrow-swap', text: escapeMarkdown(fallbackText(event)) });
        break;
      case 'steered':
      case 'follow_up':
        say(saidLine(event));
        break;
      case 'notice':
        notes.push({ icon: 'info', text: escapeMarkdown(inertLine(event.text, 300)) });
        break;
      case 'compaction_started':
        showProgress(stream, vscode.l10n.t('Shortening the conversation, to make room'));
        break;
      case 'compaction_ended':
        notes.push({ icon: 'fold', text: compactionLine(sessionId(), event.entry) });
        break;
      case 'compaction_failed':
        notes.push({ icon: 'warning', text: compactionFailedText(event) });
        break;
      case 'approval_resolved':
        renderResolution(stream, event, reviewOf(event.request));
        break;
      case 'run_started':
        runId = event.runId;
        break;
      case 'thinking':
      case 'usage':
      case 'run_ended':
        break;
    }
  });
  show(links.flush());
  for (const note of notes) showNote(stream, note);
  const hasChanges = notes.some((note) => note.file !== undefined);
  if (hasChanges && runId !== undefined) stream.markdown(trustedMarkdown(`\n\n${checkpointLinks(runId)}`));
  return outcome;
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
