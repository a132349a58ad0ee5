import type { PincerError } from '../base/errors.ts';
import type { AgentMessage, AssistantMessage } from '../contracts/message.ts';
import type { ModelCallStartedEvent } from '../hooks/payloads/agentHooks.ts';
import type { StepFacts } from '../traces/runTrace.ts';
import type { RunScope } from './runScope.ts';

/** The hooks around each model call. All of them observe: nothing waits for them. */
export interface ModelHooks {
  beforeModel(systemPrompt: string, messages: readonly AgentMessage[]): void;
  afterModel(message: AssistantMessage, error: PincerError | undefined): void;
}

export function createModelHooks(scope: RunScope): ModelHooks {
  const { hooks, input, runId, clock } = scope;
  const { session } = input;
  let callId = '';
  let callStarted = 0;
  const call = (): ModelCallStartedEvent & { readonly runId: string; readonly sessionId: string } => ({
    runId,
    callId,
    sessionId: session.id,
    sessionKey: session.key,
    provider: scope.model.provider,
    model: scope.model.model,
    contextTokenBudget: scope.model.contextWindow,
  });
  return {
    beforeModel(systemPrompt, messages) {
      callId = crypto.randomUUID();
      callStarted = clock.monotonic();
      if (hooks.has('llm_input')) {
        const event = {
          ...call(),
          systemPrompt,
          prompt: scope.words.text,
          historyMessages: messages,
          imagesCount: messages.flatMap((each) => each.content.filter((part) => part.type === 'image'))
            .length,
          tools: scope.tools,
        };
        scope.inBackground(hooks.observe('llm_input', event, scope.agentContext()));
      }
      if (hooks.has('model_call_started'))
        scope.inBackground(hooks.observe('model_call_started', call(), scope.agentContext()));
    },

    afterModel(message, error) {
      scope.trace(modelStep(message, error), callStarted);
      if (hooks.has('model_call_ended')) {
        const event = {
          ...call(),
          durationMs: clock.monotonic() - callStarted,
          outcome: error === undefined ? ('completed' as const) : ('error' as const),
          ...(error === undefined ? {} : { errorCategory: error.code }),
        };
        scope.inBackground(hooks.observe('model_call_ended', event, scope.agentContext()));
      }
      if (hooks.has('llm_output')) {
        const event = {
          ...call(),
          resolvedRef: `${scope.model.provider}/${scope.model.model}`,
          prompt: scope.words.text,
          contextTokenBudget: scope.model.contextWindow,
          assistantTexts: message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
          lastAssistant: message,
          ...(message.usage === undefined ? {} : { usage: message.usage }),
        };
        scope.inBackground(hooks.observe('llm_output', event, scope.agentContext()));
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
