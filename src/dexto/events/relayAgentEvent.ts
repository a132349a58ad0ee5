import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { Tenant } from '../../contracts/tenant.ts';
import type { AgentEventBus } from './createAgentEventBus.ts';

/** The turn whose events are passed on. */
interface RelayedTurn {
  readonly sessionId: string;
  readonly runId: string;
  readonly tenant: Tenant | undefined;
}

/**
 * Tells plugins what a turn tells its front end: after plugins and people have judged it, so nothing that was blocked or redacted.
 * What nobody listens to costs nothing. Never throws.
 */
export function relayAgentEvent(
  bus: AgentEventBus,
  { tenant, ...ids }: RelayedTurn,
  event: AgentEvent,
): void {
  switch (event.type) {
    case 'message':
      if (bus.has('llm:response')) bus.emit('llm:response', { ...ids, ...answerOf(event.message) }, tenant);
      return;
    case 'tool_started': {
      const { id: callId, name: toolName, arguments: args } = event.call;
      if (bus.has('tool:call')) bus.emit('tool:call', { ...ids, callId, toolName, args }, tenant);
      return;
    }
    case 'tool_ended': {
      const { toolCallId: callId, toolName, isError } = event.result;
      if (bus.has('tool:result'))
        bus.emit('tool:result', { ...ids, callId, toolName, success: !isError }, tenant);
      return;
    }
    case 'run_ended':
      if (bus.has('run:complete')) bus.emit('run:complete', { ...ids, status: event.outcome.status }, tenant);
      return;
    default:
      return;
  }
}

function answerOf({ provider, model, content, usage }: Extract<AgentMessage, { role: 'assistant' }>) {
  return {
    provider,
    model,
    content: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    ...(usage === undefined ? {} : { tokenUsage: { input: usage.input, output: usage.output } }),
  };
}
