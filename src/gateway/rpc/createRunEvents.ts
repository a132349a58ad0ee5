import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { Clock } from '../../host/ports.ts';

/** A turn, as its events name it. */
export interface RunOf {
  readonly runId: string;
  readonly sessionId: string;
  readonly sessionKey: string;
}

/** What clients are told of a turn; `mayDrop`: one that reads slowly does without it. */
interface RunEvent {
  readonly event: 'agent' | 'chat';
  readonly payload: object;
  readonly mayDrop: boolean;
}

interface RunEventParts {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly send: (event: RunEvent) => void;
  /** Takes secrets out of what tools said. */
  readonly redact: (text: string) => string;
}

/** How often clients are told of new words of an answer. */
const deltaIntervalMs = 150;
/** Characters of a result that clients see; the transcript has it whole. */
const maxResult = 2_000;

interface Talk {
  seq: number;
  /** Words that were not told yet. */
  text: string;
  stop: (() => void) | undefined;
}

/**
 * Makes events for clients of those of all turns (OpenClaw core flow, End-to-End): words at most every 150 ms, and at the end the whole
 * answer, which nobody misses.
 */
export function createRunEvents({ clock, send, redact }: RunEventParts): {
  take(run: RunOf, event: AgentEvent): void;
  close(): void;
} {
  const talks = new Map<string, Talk>();
  const talkOf = (runId: string): Talk => {
    const talk = talks.get(runId) ?? { seq: 0, text: '', stop: undefined };
    talks.set(runId, talk);
    return talk;
  };
  const tell = (
    event: RunEvent['event'],
    { runId, sessionKey }: RunOf,
    what: object,
    mayDrop = false,
  ): void => {
    const seq = (talkOf(runId).seq += 1);
    send({ event, payload: { runId, sessionKey, seq, ts: clock.now(), ...what }, mayDrop });
  };
  const tellWords = (run: RunOf, talk: Talk): void => {
    talk.stop = undefined;
    if (talk.text === '') return;
    const deltaText = talk.text;
    talk.text = '';
    tell('chat', run, { state: 'delta', deltaText }, true);
    talk.stop = clock.after(deltaIntervalMs, () => tellWords(run, talk));
  };
  const end = (run: RunOf, outcome: RunOutcome): void => {
    talks.get(run.runId)?.stop?.();
    tell('chat', run, finalOf(outcome, clock.now()));
    const isFailed = outcome.status === 'failed';
    const data = isFailed
      ? { phase: 'error', error: outcome.message }
      : { phase: 'end', aborted: outcome.status === 'cancelled' };
    tell('agent', run, { stream: 'lifecycle', data });
    talks.delete(run.runId);
  };

  return {
    take(run, event) {
      switch (event.type) {
        case 'run_started': {
          const { provider, model } = event.model;
          tell('agent', run, {
            stream: 'lifecycle',
            data: { phase: 'start', model: `${provider}/${model}` },
          });
          break;
        }
        case 'text': {
          const talk = talkOf(run.runId);
          talk.text += event.text;
          if (talk.stop === undefined) tellWords(run, talk);
          break;
        }
        case 'tool_started': {
          const { id: toolCallId, name } = event.call;
          const data = { phase: 'start', name, toolCallId, label: redact(event.label) };
          tell('agent', run, { stream: 'tool', data });
          break;
        }
        case 'tool_ended': {
          const { toolCallId, toolName: name, isError, content } = event.result;
          const said = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
          const data = {
            phase: 'result',
            name,
            toolCallId,
            isError,
            text: redact(said.slice(0, maxResult * 4)).slice(0, maxResult),
          };
          tell('agent', run, { stream: 'tool', data });
          break;
        }
        case 'run_ended':
          end(run, event.outcome);
          break;
        default:
          break;
      }
    },
    close() {
      for (const { stop } of talks.values()) stop?.();
      talks.clear();
    },
  };
}

function finalOf(outcome: RunOutcome, timestamp: number): object {
  switch (outcome.status) {
    case 'cancelled':
      return { state: 'aborted' };
    case 'failed':
      return { state: 'error', errorMessage: outcome.message };
    case 'yielded':
      return { state: 'final' };
    case 'completed':
    case 'blocked':
      return {
        state: 'final',
        message: { role: 'assistant', content: [{ type: 'text', text: outcome.text }], timestamp },
      };
  }
}
