import type { PincerError } from '../base/errors.ts';
import type { AgentMessage, AssistantMessage } from '../contracts/message.ts';
import type { ModelCallStartedEvent } from '../hooks/payloads/agentHooks.ts';
import type { StepFacts } from '../traces/runTrace.ts';
import type { AgentTurn } from './turn.ts';

/** The hooks around each model call. All of them observe: nothing waits for them. */
export interface ModelHooks {
  beforeModel(systemPrompt: string, messages: readonly AgentMessage[]): void;
  afterModel(message: AssistantMessage, error: PincerError | undefined): void;
}

export function createModelHooks(turn: AgentTurn): ModelHooks {
  const { hooks, input, runId, clock } = turn;
  const { session } = input;
  let callId = '';
  let callStarted = 0;
  const call = (): ModelCallStartedEvent & { readonly runId: string; readonly sessionId: string } => ({
    runId,
    callId,
    sessionId: session.id,
    sessionKey: session.key,
    provider: turn.model.provider,
    model: turn.model.model,
    contextTokenBudget: turn.model.contextWindow,
  });
  return {
    beforeModel(systemPrompt, messages) {
      callId = crypto.randomUUID();
      callStarted = clock.monotonic();
      if (hooks.has('llm_input')) {
        const event = {
          ...call(),
          systemPrompt,
          prompt: turn.words.text,
          historyMessages: messages,
          imagesCount: messages.flatMap((each) => each.content.filter((part) => part.type === 'image'))
            .length,
          tools: turn.tools,
        };
        turn.inBackground(hooks.observe('llm_input', event, turn.agentContext()));
      }
      if (hooks.has('model_call_started'))
        turn.inBackground(hooks.observe('model_call_started', call(), turn.agentContext()));
    },

    afterModel(message, error) {
      turn.trace(modelStep(message, error), callStarted);
      if (hooks.has('model_call_ended')) {
        const event = {
          ...call(),
          durationMs: clock.monotonic() - callStarted,
          outcome: error === undefined ? ('completed' as const) : ('error' as const),
          ...(error === undefined ? {} : { errorCategory: error.code }),
        };
        turn.inBackground(hooks.observe('model_call_ended', event, turn.agentContext()));
      }
      if (hooks.has('llm_output')) {
        const event = {
          ...call(),
          resolvedRef: `${turn.model.provider}/${turn.model.model}`,
          prompt: turn.words.text,
          contextTokenBudget: turn.model.contextWindow,
          assistantTexts: message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
          lastAssistant: message,
          ...(message.usage === undefined ? {} : { usage: message.usage }),
        };
        turn.inBackground(hooks.observe('llm_output', event, turn.agentContext()));
      }
    },
  };
}

function modelStep(message: AssistantMessage, error: PincerError | undefined): StepFacts {
  const { provider, model, usage, stopReason, content } = message;
  const outcome = stopReason === 'aborted' ? 'cancelled' : error === undefined ? 'answered' : 'failed';
  return {
    kind: 'model',
    provider,
    model,
    outcome,
    toolCalls: content.filter((part) => part.type === 'toolCall').length,
    ...(usage === undefined ? {} : { usage }),
    ...(outcome === 'failed' && error !== undefined ? { error: error.message } : {}),
  };
}
