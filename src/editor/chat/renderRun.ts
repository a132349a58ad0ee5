import * as vscode from 'vscode';
import { isBuiltIn } from '../../models/builtIn/builtInModelInfo.ts';
import { escapeMarkdown } from '../../base/text.ts';
import type { Disposable } from '../../base/disposable.ts';
import { diffShowsAll } from '../../approvals/fullCall.ts';
import type { QuestionGroup } from '../../approvals/groupQuestions.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { AgentEvent, EventOf, RunOutcome } from '../../contracts/agentEvent.ts';
import type { Clock } from '../../host/ports.ts';
import { closingLine } from '../../models/builtIn/texts.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import { createLinkShower, lineRange, type AnswerPiece, type PathPiece } from './createLinkReader.ts';
import type { FindFile } from './createFindFile.ts';
import { createThoughtLine } from './createThoughtLine.ts';
import { renderApproval, renderResolution } from './renderApproval.ts';
import { createOrderedStream, type AnswerStream } from './orderedStream.ts';
import { showNote } from './runNotes.ts';
import {
  allowsAllLine,
  builtInLine,
  fallbackText,
  retryText,
  saidLine,
  thoughtText,
  waitingText,
} from './runTexts.ts';
import { stepMarkdown } from './stepTexts.ts';
import { createTurnNotes, type EndedStep } from './turnNotes.ts';
import { trustedMarkdown } from './trustedMarkdown.ts';
import { showProgress } from './showProgress.ts';

interface RunRendering {
  readonly stream: AnswerStream;
  /** Adds a step to this answer; rejects where it takes none any more. */
  readonly addStep: (text: vscode.MarkdownString) => Promise<void>;
  readonly reviewOf: ReviewOf;
  /** Told of questions that stand in the answer whole. */
  readonly noteShown: (approvalId: string) => void;
  /** The questions that one yes may answer together with this one, where the answer shows it whole. */
  readonly groupOf: (request: ApprovalRequest) => QuestionGroup | undefined;
  readonly findFile: FindFile;
  /** Whether the panel's own permissions allow everything: what Pincer asks, they do not answer. */
  readonly allowsAll: boolean;
  /** Calls once after `ms`, while the answer is open; the return value cancels it. */
  readonly after: Clock['after'];
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
  stream: answer,
  addStep,
  reviewOf,
  noteShown,
  groupOf,
  findFile,
  allowsAll,
  after,
  sessionId,
  start,
  onFirstText,
}: RunRendering): Promise<RunOutcome> {
  const stream = createOrderedStream(answer);
  const notes = createTurnNotes(sessionId, reviewOf);
  /** Those that wait for an answer, by their ids. */
  const questions = new Map<string, Disposable>();
  const thought = createThoughtLine();
  let needsBreak = false;
  let hasText = false;
  let isPlain = false;
  let isAllowToldOf = false;
  const show = (pieces: readonly AnswerPiece[]): void => {
    for (const piece of pieces) {
      if (needsBreak) stream.markdown('\n\n');
      needsBreak = false;
      if (piece.kind === 'path') stream.part(() => showPath(answer, findFile, piece));
      else showPiece(stream, piece);
      if (!hasText) onFirstText();
      hasText = true;
    }
  };
  const links = createLinkShower(after, show);
  const showThought = (line: string | undefined): void => {
    if (line !== undefined) showProgress(stream, thoughtText(line));
  };
  /** The call runs no more. Nothing waits until the panel has taken the step over. */
  const showStep = ({ step, place }: EndedStep): void => {
    const text = trustedMarkdown(stepMarkdown(step, place));
    stream.part(async () => {
      try {
        await addStep(text);
      } catch {
        // The panel takes no step once the user has stopped the answer: what happened is told all the same.
        showProgress(answer, [step.title, ...step.facts].join(' · '));
      }
    });
  };
  /** After the question nothing else would name what runs; a change of files is made at once. */
  const showRunning = ({ request, resolution }: EventOf<'approval_resolved'>): void => {
    const label = notes.labelOf(request.toolCallId);
    if (label !== undefined && resolution.startsWith('allow') && !diffShowsAll(request))
      showProgress(stream, label);
  };
  /** A line of its own, where it happened. */
  const say = (line: string): void => {
    links.flush();
    stream.markdown(trustedMarkdown(`\n\n${line}\n\n`));
    needsBreak = false;
  };
  const outcome = await start((event) => {
    if (event.type === 'thinking') showThought(thought.push(event.text));
    else showThought(thought.end());
    if (event.type === 'tool_ended') links.flush();
    const ended = notes.take(event);
    if (ended !== undefined) showStep(ended);
    switch (event.type) {
      case 'waiting':
        showProgress(stream, waitingText(event.for));
        break;
      case 'text':
        if (isPlain && event.text.trim() === closingLine) say(builtInLine());
        else links.push(event.text);
        break;
      case 'tool_started':
        showProgress(stream, event.label);
        break;
      case 'approval_requested':
        questions.set(event.request.id, renderApproval(stream, reviewOf(event.request), noteShown, groupOf));
        if (allowsAll && !isAllowToldOf) stream.markdown(trustedMarkdown(`\n\n${allowsAllLine()}\n\n`));
        isAllowToldOf = true;
        break;
      case 'tool_ended':
        needsBreak = true;
        break;
      case 'message':
        links.flush();
        break;
      case 'model_retry':
        showProgress(stream, retryText(event));
        break;
      case 'model_fallback':
        showProgress(stream, fallbackText(event));
        break;
      case 'steered':
      case 'follow_up':
        say(saidLine(event));
        break;
      case 'compaction_started':
        showProgress(stream, vscode.l10n.t('Compacting the conversation to make room'));
        break;
      case 'approval_resolved':
        questions.get(event.request.id)?.dispose();
        questions.delete(event.request.id);
        renderResolution(stream, event, reviewOf(event.request));
        showRunning(event);
        break;
      case 'run_started':
        isPlain = isBuiltIn(event.model);
        break;
      // What a call says while it runs is in the status bar and in its terminal: here each line would be a paragraph.
      case 'tool_progress':
      // Steps and notes tell of these.
      case 'subagent_call_ended':
      case 'notice':
      case 'compaction_ended':
      case 'compaction_failed':
      case 'thinking':
      case 'usage':
      case 'run_ended':
        break;
    }
  }).finally(() => {
    links.dispose();
    for (const each of questions.values()) each.dispose();
  });
  links.flush();
  const said = notes.end();
  for (const [at, note] of said.entries()) showNote(stream, note, said[at - 1]);
  await stream.settled();
  return outcome;
}

/** A link where there is such a file, else the words as they are. */
async function showPath(stream: AnswerStream, findFile: FindFile, piece: PathPiece): Promise<void> {
  const file = await findFile(piece.path);
  if (file === undefined) stream.markdown(piece.text);
  else stream.anchor(toPlace(file, piece), piece.title ?? piece.path);
}

function showPiece(stream: AnswerStream, piece: Exclude<AnswerPiece, PathPiece>): void {
  if (piece.kind === 'text') {
    stream.markdown(piece.text);
    return;
  }
  const location = toLocation(piece.href);
  if (location === undefined) stream.markdown(escapeMarkdown(piece.title));
  else stream.anchor(location, piece.title);
}

/** `file:///a.md#L8` is the start of line 8, `#L8-L10` are those lines. Undefined for what only looks like an address: a model wrote it. */
function toLocation(href: string): vscode.Uri | vscode.Location | undefined {
  if (!URL.canParse(href)) return undefined;
  const uri = vscode.Uri.parse(href);
  const { line, last } = /^L(?<line>\d+)(?:-L?(?<last>\d+))?/u.exec(uri.fragment)?.groups ?? {};
  return toPlace(uri.with({ fragment: '' }), lineRange(line, last));
}

/** Wider than any line. */
const lineEnd = 2 ** 30;

function toPlace(
  file: vscode.Uri,
  { line, lastLine }: Pick<PathPiece, 'line' | 'lastLine'>,
): vscode.Uri | vscode.Location {
  if (line === undefined) return file;
  const start = new vscode.Position(Math.max(0, line - 1), 0);
  const place = lastLine === undefined ? start : new vscode.Range(start, start.with(lastLine - 1, lineEnd));
  return new vscode.Location(file, place);
}
