import type { AgentEvent } from '../contracts/agentEvent.ts';
import type { SessionEntry } from '../contracts/sessionEntry.ts';
import type { AgentEventPayload, SessionTranscriptUpdate } from '../sdk/types.ts';
import type { Session } from '../sessions/session.ts';

/**
 * What plugins hear of an event of a turn (OpenClaw documentation, Agent loop, Event streams); undefined where upstream tells
 * nothing of the kind. Pure.
 */
export function toAgentEventPayload(
  turn: Pick<AgentEventPayload, 'runId' | 'seq' | 'ts' | 'sessionKey' | 'sessionId' | 'agentId'>,
  event: AgentEvent,
): AgentEventPayload | undefined {
  const told = streamOf(event, turn.ts);
  return told === undefined ? undefined : { ...turn, ...told };
}

function streamOf(event: AgentEvent, ts: number): Pick<AgentEventPayload, 'stream' | 'data'> | undefined {
  switch (event.type) {
    case 'run_started':
      return { stream: 'lifecycle', data: { phase: 'start', startedAt: ts } };
    case 'message': {
      const texts = event.message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      return texts.length === 0 ? undefined : { stream: 'assistant', data: { text: texts.join('') } };
    }
    case 'tool_started': {
      const { id: toolCallId, name, arguments: args } = event.call;
      return { stream: 'tool', data: { phase: 'start', name, toolCallId, args } };
    }
    case 'tool_ended': {
      const { toolCallId, toolName: name, isError, content } = event.result;
      return { stream: 'tool', data: { phase: 'result', name, toolCallId, isError, result: { content } } };
    }
    case 'compaction_started':
      return { stream: 'compaction', data: { phase: 'start' } };
    case 'compaction_ended':
      return { stream: 'compaction', data: { phase: 'end' } };
    case 'run_ended':
      return event.outcome.status === 'failed'
        ? { stream: 'lifecycle', data: { phase: 'error', endedAt: ts, error: event.outcome.message } }
        : {
            stream: 'lifecycle',
            data: { phase: 'end', endedAt: ts, aborted: event.outcome.status === 'cancelled' },
          };
    default:
      return undefined;
  }
}

/**
 * What plugins hear of a line that is on disk (OpenClaw documentation, Plugin runtime helpers); undefined for the host's own marks, which
 * upstream's transcripts don't have. Pure.
 */
export function toTranscriptUpdate(
  { id: sessionId, key: sessionKey, agentId, entries }: Pick<Session, 'id' | 'key' | 'agentId' | 'entries'>,
  entry: SessionEntry,
): SessionTranscriptUpdate | undefined {
  const session = { target: { agentId, sessionId, sessionKey }, sessionKey, agentId, sessionId };
  if (entry.type === 'compaction') return session;
  if (entry.type !== 'message') return undefined;
  const { message, id: messageId } = entry;
  // What was said since is there already. By its id: a compaction meanwhile keeps a slimmer one.
  const upTo = entries().slice(0, entries().findLastIndex(({ id }) => id === messageId) + 1);
  const messageSeq = upTo.filter(({ type }) => type === 'message').length;
  const told = { ...session, message, messageId, messageSeq };
  const endsRun = message.role === 'assistant' && !message.content.some(({ type }) => type === 'toolCall');
  const runId = endsRun ? runOf(upTo) : undefined;
  return runId === undefined ? told : { ...told, runId };
}

function runOf(entries: readonly SessionEntry[]): string | undefined {
  const turn = entries.findLast((each) => each.type === 'turn');
  return turn?.state === 'started' ? turn.runId : undefined;
}
