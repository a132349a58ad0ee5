import { createHash } from 'node:crypto';
import type { AgentMessage } from '../contracts/message.ts';
import type { ModelCallEndedEvent, ModelCallStartedEvent } from '../hooks/payloads/agentHooks.ts';
import type { StepFacts } from '../traces/runTrace.ts';
import type { ModelAnswer } from './answer.ts';
import type { AgentTurn, ModelCallEvent } from './turn.ts';

/** The hooks around each model call, and who else hears of it. All of them observe: nothing waits for them. */
export interface ModelHooks {
  beforeModel(systemPrompt: string, messages: readonly AgentMessage[]): void;
  afterModel(answer: ModelAnswer): void;
}

export function createModelHooks(turn: AgentTurn): ModelHooks {
  const { hooks, input, runId, clock } = turn;
  const { session } = input;
  let callId = '';
  let callStarted = 0;
  let prompt: ModelCallEvent['prompt'] = { systemPrompt: '', messages: [], tools: [] };
  const ids = () => ({
    runId,
    sessionId: session.id,
    provider: turn.model.provider,
    model: turn.model.model,
  });
  const call = (): ModelCallStartedEvent => ({
    ...ids(),
    callId,
    sessionKey: session.key,
    ...(turn.model.api === undefined ? {} : { api: turn.model.api }),
    ...(turn.model.transport === undefined ? {} : { transport: turn.model.transport }),
    ...turn.contextWindow(),
  });
  return {
    beforeModel(systemPrompt, messages) {
      callId = crypto.randomUUID();
      callStarted = clock.monotonic();
      prompt = { systemPrompt, messages, tools: turn.tools };
      if (hooks.has('llm_input')) {
        const event = {
          ...ids(),
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
      input.onModelCall?.({ call: call(), prompt });
    },

    afterModel(answer) {
      const { message, error, requestId } = answer;
      turn.trace(modelStep(answer), callStarted);
      const ended = {
        durationMs: clock.monotonic() - callStarted,
        outcome: error === undefined ? ('completed' as const) : ('error' as const),
        ...(error === undefined ? {} : { errorCategory: error.code, ...failureKindOf(error.code) }),
        ...(requestId === undefined ? {} : { upstreamRequestIdHash: hashOf(requestId) }),
      };
      if (hooks.has('model_call_ended'))
        turn.inBackground(hooks.observe('model_call_ended', { ...call(), ...ended }, turn.agentContext()));
      input.onModelCall?.({ call: call(), prompt, ended: { ...ended, usage: message.usage } });
      if (hooks.has('llm_output')) {
        const event = {
          ...ids(),
          ...turn.contextWindow(),
          resolvedRef: `${turn.model.provider}/${turn.model.model}`,
          harnessId: 'pincer',
          prompt: turn.words.text,
          assistantTexts: message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
          lastAssistant: message,
          ...(message.usage === undefined ? {} : { usage: message.usage }),
        };
        turn.inBackground(hooks.observe('llm_output', event, turn.agentContext()));
      }
    },
  };
}

type FailureKind = NonNullable<ModelCallEndedEvent['failureKind']>;

/** Upstream's words for what ended a connection; other failures have none. */
const failureKinds: Readonly<Record<string, FailureKind>> = {
  cancelled: 'aborted',
  model_aborted: 'aborted',
  model_timeout: 'timeout',
  model_offline: 'connection_closed',
  model_malformed: 'terminated',
};

function failureKindOf(code: string): { readonly failureKind?: FailureKind } {
  const failureKind = failureKinds[code];
  return failureKind === undefined ? {} : { failureKind };
}

function modelStep({ message, error }: ModelAnswer): StepFacts {
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

/** For ids and texts that are compared, not told. Pure. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
