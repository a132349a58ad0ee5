import type { AgentEvent } from '../contracts/agentEvent.ts';
import type { AgentEventPayload } from '../sdk/types.ts';

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
