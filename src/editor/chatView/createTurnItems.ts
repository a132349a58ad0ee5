import * as vscode from 'vscode';
import { isBuiltIn } from '../../models/builtIn/builtInModelInfo.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import { closingLine } from '../../models/builtIn/texts.ts';
import { createThoughtLine } from '../chat/createThoughtLine.ts';
import type { RunNote } from '../chat/runNotes.ts';
import { builtInLine, fallbackText, retryText, thoughtText, waitingText } from '../chat/runTexts.ts';
import { createTurnNotes, type EndedStep } from '../chat/turnNotes.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { ChatItems } from '../../gateway/chatPage/chatItems.ts';
import { jobOf } from './followJobs.ts';
import { createLiveItems } from '../../gateway/chatPage/chatScreen.ts';

interface TurnItemsParts {
  readonly items: ChatItems;
  readonly reviewOf: ReviewOf;
  /** The session of the turn; known once it has begun. */
  readonly sessionId: () => string;
  /** A name that no other item has. */
  readonly nextId: () => string;
  /** What the turn does now, where no item says it. */
  readonly onProgress: (text: string) => void;
  /** A step stands there whose command goes on in the background, or the turn has ended. */
  readonly refreshJobs: () => void;
}

interface TurnItems {
  /** Takes the events of one turn, in their order. */
  take(event: AgentEvent): void;
  /** The turn has ended: says what must not be missed, such as what failed and which files changed. */
  end(): void;
}

/** Makes the items of one turn from its events. Questions are not among them: they come from whoever keeps them. */
export function createTurnItems({
  items,
  reviewOf,
  sessionId,
  nextId,
  onProgress,
  refreshJobs,
}: TurnItemsParts): TurnItems {
  const live = createLiveItems(items, nextId);
  const notes = createTurnNotes(sessionId, reviewOf);
  const thought = createThoughtLine();
  let isPlain = false;

  const note = ({ icon, text, file }: RunNote): void =>
    items.put({ kind: 'note', id: nextId(), icon, markdown: text, ...(file === undefined ? {} : { file }) });
  const showThought = (line: string | undefined): void => {
    if (line !== undefined) onProgress(thoughtText(line));
  };
  /** Calls of started agents were not told of before. */
  const callEnded = ({ step, place }: EndedStep, event: AgentEvent): void => {
    const own = event.type === 'tool_ended' ? event : undefined;
    const state = step.icon === undefined ? 'done' : step.icon === 'error' ? 'failed' : 'stopped';
    const job = own === undefined ? {} : jobOf(own.call.name, own.facts);
    live.callEnded(own?.call.id, {
      ...{ state: job.job === undefined ? state : 'running', ...job },
      ...{ title: step.title, facts: step.facts, opens: place },
    });
    // A short one has ended by now.
    if (job.job !== undefined) refreshJobs();
  };

  return {
    take(event) {
      const ended = notes.take(event);
      if (ended !== undefined) callEnded(ended, event);
      if (event.type === 'thinking') showThought(thought.push(event.text));
      else showThought(thought.end());
      switch (event.type) {
        case 'waiting':
          onProgress(waitingText(event.for));
          break;
        case 'run_started':
          isPlain = isBuiltIn(event.model);
          break;
        case 'text':
          onProgress('');
          if (isPlain && event.text.trim() === closingLine) note({ icon: 'info', text: builtInLine() });
          else live.say(event.text);
          break;
        case 'tool_started':
          live.breakAnswer();
          onProgress('');
          live.callStarted(event);
          break;
        case 'tool_progress':
          live.callSaid(event);
          break;
        case 'tool_ended':
          live.breakAnswer();
          onProgress(vscode.l10n.t('Thinking'));
          break;
        case 'message':
          live.breakAnswer();
          break;
        case 'model_retry':
          onProgress(retryText(event));
          break;
        case 'model_fallback':
          onProgress(fallbackText(event));
          break;
        case 'steered':
        case 'follow_up':
          live.said(event);
          break;
        case 'compaction_started':
          onProgress(vscode.l10n.t('Compacting the conversation to make room'));
          break;
        case 'compaction_ended':
        case 'compaction_failed':
          onProgress('');
          break;
        // Steps, notes and questions tell of these.
        case 'subagent_call_ended':
        case 'notice':
        case 'approval_resolved':
        case 'approval_requested':
        case 'thinking':
        case 'usage':
        case 'run_ended':
          break;
      }
    },
    end() {
      live.end();
      for (const each of notes.end()) note(each);
      refreshJobs();
    },
  };
}
