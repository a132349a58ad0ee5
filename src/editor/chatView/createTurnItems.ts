import * as vscode from 'vscode';
import { changedFilesOf } from '../../agent/changedFilesOf.ts';
import { isBuiltIn } from '../../agent/context/isBuiltIn.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import { closingLine } from '../../models/builtIn/texts.ts';
import { createThoughtLine } from '../chat/createThoughtLine.ts';
import { noteOfResolution } from '../chat/renderApproval.ts';
import { checkpointLinks, noteOfChange, notesOfCall, type Note } from '../chat/runNotes.ts';
import {
  builtInLine,
  compactionFailedText,
  fallbackText,
  retryText,
  thoughtText,
  waitingText,
} from '../chat/runTexts.ts';
import { createFailedSteps, stepOf, stepOfAgent, type CallPlace, type Step } from '../chat/stepTexts.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import { compactionLine } from '../sessions/compactFlow.ts';
import { wordsOf, type ChatItems } from './chatItems.ts';
import type { ChatItem } from './chatViewMessages.ts';

export interface TurnItemsParts {
  readonly items: ChatItems;
  readonly reviewOf: ReviewOf;
  /** The session of the turn; known once it has begun. */
  readonly sessionId: () => string;
  /** A name that no other item has. */
  readonly nextId: () => string;
  /** What the turn does now, where no item says it. */
  readonly onProgress: (text: string) => void;
}

export interface TurnItems {
  /** Takes the events of one turn, in their order. */
  take(event: AgentEvent): void;
  /** The turn has ended: says what must not be missed, such as what failed and which files changed. */
  end(): void;
}

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/** Makes the items of one turn from its events. Questions are not among them: they come from whoever keeps them. */
export function createTurnItems({
  items,
  reviewOf,
  sessionId,
  nextId,
  onProgress,
}: TurnItemsParts): TurnItems {
  const started = new Map<string, EventOf<'tool_started'> & { readonly id: string }>();
  const failed = createFailedSteps();
  const notes: Note[] = [];
  const thought = createThoughtLine();
  /** The answer that text is added to; a call begins another one. */
  let answer: Extract<ChatItem, { kind: 'answer' }> | undefined;
  let runId = '';
  let isPlain = false;

  const say = (text: string): void => {
    if (answer !== undefined && isLongEnough(answer.markdown)) answer = undefined;
    answer ??= { kind: 'answer', id: nextId(), markdown: '', files: [] };
    answer = { ...answer, markdown: answer.markdown + text };
    items.put(answer);
  };
  const note = ({ icon, text, file }: Note): void =>
    items.put({ kind: 'note', id: nextId(), icon, markdown: text, ...(file === undefined ? {} : { file }) });
  const showThought = (line: string | undefined): void => {
    if (line !== undefined) onProgress(thoughtText(line));
  };
  const putStep = (id: string, step: Step, opens: CallPlace): void => {
    const state = step.icon === undefined ? 'done' : step.icon === 'error' ? 'failed' : 'stopped';
    items.put({ kind: 'step', id, state, title: step.title, facts: step.facts, opens });
  };
  const callStarted = (event: EventOf<'tool_started'>): void => {
    // A model may use an id again: each call has an item of its own.
    const id = nextId();
    started.set(event.call.id, { ...event, id });
    items.put({
      kind: 'step',
      id,
      state: 'running',
      title: inertLine(event.label, 100),
      facts: [],
    });
  };
  const callEnded = (event: EventOf<'tool_ended'>): void => {
    const begun = started.get(event.call.id);
    started.delete(event.call.id);
    const place = { sessionId: sessionId(), runId, toolCallId: event.call.id };
    const step = stepOf(event, begun);
    failed.note(event, begun, step, place);
    putStep(begun?.id ?? nextId(), step, place);
    notes.push(...notesOfCall(event, begun?.target ?? ''));
  };
  const agentCallEnded = (event: EventOf<'subagent_call_ended'>): void => {
    const place = { sessionId: event.sessionId, runId: event.runId, toolCallId: event.call.id };
    const step = stepOfAgent(event.label, stepOf(event, event.started));
    failed.note(event, event.started, step, place);
    putStep(nextId(), step, place);
    notes.push(...changedFilesOf(event.facts).map(noteOfChange));
  };

  return {
    take(event) {
      if (event.type === 'thinking') showThought(thought.push(event.text));
      else showThought(thought.end());
      switch (event.type) {
        case 'waiting':
          onProgress(waitingText());
          break;
        case 'run_started':
          runId = event.runId;
          isPlain = isBuiltIn(event.model);
          break;
        case 'text':
          onProgress('');
          if (isPlain && event.text.trim() === closingLine) note({ icon: 'info', text: builtInLine() });
          else say(event.text);
          break;
        case 'tool_started':
          answer = undefined;
          onProgress('');
          callStarted(event);
          break;
        case 'tool_progress':
          onProgress(inertLine(event.text, 160));
          break;
        case 'tool_ended':
          answer = undefined;
          onProgress(vscode.l10n.t('Thinking'));
          callEnded(event);
          break;
        case 'subagent_call_ended':
          agentCallEnded(event);
          break;
        case 'message':
          answer = undefined;
          if (event.message.stopReason === 'length')
            notes.push({
              icon: 'warning',
              text: vscode.l10n.t("The answer was cut off at the model's output limit."),
            });
          break;
        case 'model_retry':
          onProgress(retryText(event));
          break;
        case 'model_fallback':
          notes.push({ icon: 'arrow-swap', text: escapeMarkdown(fallbackText(event)) });
          break;
        case 'steered':
        case 'follow_up':
          items.put({ kind: 'user', id: nextId(), text: wordsOf(event.message), attached: [] });
          break;
        case 'notice':
          notes.push({ icon: 'info', text: escapeMarkdown(inertLine(event.text, 300)) });
          break;
        case 'compaction_started':
          onProgress(vscode.l10n.t('Compacting the conversation to make room'));
          break;
        case 'compaction_ended':
          onProgress('');
          notes.push({ icon: 'fold', text: compactionLine(sessionId(), event.entry) });
          break;
        case 'compaction_failed':
          onProgress('');
          notes.push({ icon: 'warning', text: compactionFailedText(event) });
          break;
        case 'approval_resolved':
          notes.push(...noteOfResolution(event, reviewOf(event.request)));
          break;
        case 'approval_requested':
        case 'thinking':
        case 'usage':
        case 'run_ended':
          break;
      }
    },
    end() {
      // A call that the turn's end cut off.
      for (const { id, label } of started.values())
        items.put({
          kind: 'step',
          id,
          state: 'stopped',
          title: inertLine(label, 100),
          facts: [],
        });
      for (const line of failed.left()) note({ icon: 'error', text: vscode.l10n.t('Failed: {0}', line) });
      for (const each of notes) note(each);
      if (notes.some(({ file }) => file !== undefined))
        note({ icon: 'history', text: checkpointLinks(runId).replace('$(history) ', '') });
    },
  };
}

/** From so many characters on a new paragraph is an item of its own: an item is drawn anew with each piece of text. */
const longAnswer = 8_000;

function isLongEnough(markdown: string): boolean {
  if (markdown.length < longAnswer || !markdown.endsWith('\n\n')) return false;
  // Not in the middle of a block of code.
  return (markdown.match(/^\s*(?:```|~~~)/gmu)?.length ?? 0) % 2 === 0;
}
