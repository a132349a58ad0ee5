import * as vscode from 'vscode';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { AgentEvent, EventOf } from '../../contracts/agentEvent.ts';
import type { ToolResultMessage } from '../../contracts/message.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import { compactionLine } from '../sessions/compactFlow.ts';
import { noteOfResolution } from './renderApproval.ts';
import { checkpointLinks, notesOfAgentCall, notesOfCall, type RunNote } from './runNotes.ts';
import { compactionFailedText, fallbackText } from './runTexts.ts';
import { createFailedSteps } from './createFailedSteps.ts';
import { stepMarkdown, stepOf, stepOfAgent, type CallPlace, type CallStep } from './stepTexts.ts';

/** A call that has ended, as a line, and where it is kept. */
export interface EndedStep {
  readonly step: CallStep;
  readonly place: CallPlace;
}

/** What a turn has to say beside its answer, on every surface: a step for each call, and at the end what must not be missed. */
interface TurnNotes {
  /** Takes each event of the turn, in their order; gives the step of a call that has ended. */
  take(event: AgentEvent): EndedStep | undefined;
  /** How a call that runs is named. */
  labelOf(toolCallId: string): string | undefined;
  /** What failed and was not made good, what was stopped, which files changed and the way back. */
  end(): readonly RunNote[];
}

/** `sessionId`: of the turn; known once it has begun. */
export function createTurnNotes(sessionId: () => string, reviewOf: ReviewOf): TurnNotes {
  const started = new Map<string, EventOf<'tool_started'>>();
  const failed = createFailedSteps<string>();
  const notes: RunNote[] = [];
  let runId = '';
  let answers = 0;

  /** What was denied, blocked or skipped is told by itself. */
  const failureOf = ({ isError }: ToolResultMessage, step: CallStep, place: CallPlace): string | undefined =>
    isError && step.icon !== 'circle-slash'
      ? stepMarkdown({ title: step.title, facts: step.facts }, place)
      : undefined;
  const callEnded = (event: EventOf<'tool_ended'>): EndedStep => {
    const begun = started.get(event.call.id);
    started.delete(event.call.id);
    const place = { sessionId: sessionId(), runId, toolCallId: event.call.id };
    const step = stepOf(event, begun);
    failed.note({
      call: event.call,
      target: begun?.target ?? '',
      answer: `${runId} ${answers}`,
      failure: failureOf(event.result, step, place),
      facts: event.facts,
    });
    notes.push(...notesOfCall(event, begun?.target ?? ''));
    return { step, place };
  };
  const agentCallEnded = (event: EventOf<'subagent_call_ended'>): EndedStep => {
    const place = { sessionId: event.sessionId, runId: event.runId, toolCallId: event.call.id };
    const step = stepOfAgent(event.label, stepOf(event, event.started));
    const target = event.started?.target ?? '';
    failed.note({
      call: event.call,
      target,
      answer: `${event.runId} ${event.answer}`,
      failure: failureOf(event.result, step, place),
      facts: event.facts,
    });
    notes.push(...notesOfAgentCall(event.label, event, target));
    return { step, place };
  };

  return {
    take(event) {
      switch (event.type) {
        case 'run_started':
          runId = event.runId;
          return undefined;
        case 'tool_started':
          started.set(event.call.id, event);
          return undefined;
        case 'tool_ended':
          return callEnded(event);
        case 'subagent_call_ended':
          return agentCallEnded(event);
        case 'message':
          answers += 1;
          notes.push(...notesOfEvent(event, sessionId(), reviewOf));
          return undefined;
        default:
          notes.push(...notesOfEvent(event, sessionId(), reviewOf));
          return undefined;
      }
    },
    labelOf: (toolCallId) => started.get(toolCallId)?.label,
    end() {
      const way = { icon: 'history', text: checkpointLinks(runId) };
      return [
        ...failed.left().map((line) => ({ icon: 'error', text: vscode.l10n.t('Failed: {0}', line) })),
        ...notes,
        ...(notes.some(({ file }) => file !== undefined) ? [way] : []),
      ];
    },
  };
}

function notesOfEvent(event: AgentEvent, sessionId: string, reviewOf: ReviewOf): readonly RunNote[] {
  switch (event.type) {
    case 'message': {
      const text = vscode.l10n.t("The answer was cut off at the model's output limit.");
      return event.message.stopReason === 'length' ? [{ icon: 'warning', text }] : [];
    }
    case 'model_fallback':
      return [{ icon: 'arrow-swap', text: escapeMarkdown(fallbackText(event)) }];
    case 'notice':
      return [{ icon: 'info', text: escapeMarkdown(inertLine(event.text, 300)) }];
    case 'compaction_ended':
      return [{ icon: 'fold', text: compactionLine(sessionId, event.entry) }];
    case 'compaction_failed':
      return [{ icon: 'warning', text: compactionFailedText(event) }];
    case 'approval_resolved':
      return noteOfResolution(event, reviewOf(event.request));
    default:
      return [];
  }
}
