import { isRecord } from '../base/json.ts';
import type { AgentMessage, TextPart } from '../contracts/message.ts';
import type { HookOutcome } from '../hooks/hookTypes.ts';
import type { QueuedInjection } from '../sessions/pluginSessionState.ts';
import type { RunScope } from './runScope.ts';

export interface PreparedPrompt {
  readonly systemPrompt: string;
  /** What plugins put before and after the user's words, for this turn only. */
  readonly before: readonly TextPart[];
  readonly after: readonly TextPart[];
  /** What the older before_agent_start says of the model; before_model_resolve beats it. */
  readonly choice: HookOutcome<'before_model_resolve'>;
}

/** The hooks between the user's message and the first model call. */
export interface PromptHooks {
  messageReceived(): void;
  beforeModelResolve(): Promise<HookOutcome<'before_model_resolve'>>;
  /** `agent_turn_prepare`, `before_prompt_build` and the older `before_agent_start`, joined as upstream joins them. */
  preparePrompt(history: readonly AgentMessage[]): Promise<PreparedPrompt>;
  beforeAgentRun(
    history: readonly AgentMessage[],
    systemPrompt: string,
  ): Promise<HookOutcome<'before_agent_run'>>;
  /** The reply of a plugin that takes the model's place; undefined where none does. */
  beforeAgentReply(): Promise<{ readonly text: string } | undefined>;
}

export function createPromptHooks(scope: RunScope): PromptHooks {
  const { hooks, input, runId, clock } = scope;
  const { session, prompt, signal } = input;
  return {
    messageReceived() {
      scope.tellInternal('received', { from: 'user', content: prompt, timestamp: clock.now() });
      if (!hooks.has('message_received')) return;
      const event = {
        from: 'user',
        content: prompt,
        timestamp: clock.now(),
        senderId: 'user',
        sessionKey: session.key,
        runId,
      };
      scope.inBackground(hooks.observe('message_received', event, scope.messageContext()));
    },

    async beforeModelResolve() {
      if (!hooks.has('before_model_resolve')) return {};
      const attachments = input.attachments.map((part) =>
        part.type === 'image' ? { kind: 'image', mimeType: part.mimeType } : { kind: 'text' },
      );
      return await hooks.modify(
        'before_model_resolve',
        { prompt, attachments },
        scope.agentContext(),
        signal,
      );
    },

    async preparePrompt(messages) {
      scope.tellInternal('preprocessed', { from: 'user', body: prompt, bodyForAgent: prompt });
      const queuedInjections = (await input.takeInjections?.()) ?? [];
      const turn = hooks.has('agent_turn_prepare')
        ? await hooks.modify(
            'agent_turn_prepare',
            { prompt, messages, queuedInjections },
            scope.agentContext(),
            signal,
          )
        : {};
      const build = hooks.has('before_prompt_build')
        ? await hooks.modify('before_prompt_build', { prompt, messages }, scope.agentContext(), signal)
        : {};
      const legacy: HookOutcome<'before_agent_start'> = hooks.has('before_agent_start')
        ? await hooks.modify('before_agent_start', { prompt, messages, runId }, scope.agentContext(), signal)
        : {};
      const all = [injectedTexts(queuedInjections), turn, build, legacy];
      const system = [
        build.prependSystemContext,
        legacy.prependSystemContext,
        build.systemPrompt ?? legacy.systemPrompt ?? input.systemPrompt,
        build.appendSystemContext,
        legacy.appendSystemContext,
      ];
      return {
        systemPrompt: system.filter((text) => text !== undefined && text !== '').join('\n\n'),
        before: contextParts(all.map((each) => each.prependContext)),
        after: contextParts(all.map((each) => each.appendContext)),
        choice: {
          ...(legacy.modelOverride === undefined ? {} : { modelOverride: legacy.modelOverride }),
          ...(legacy.providerOverride === undefined ? {} : { providerOverride: legacy.providerOverride }),
        },
      };
    },

    async beforeAgentRun(messages, systemPrompt) {
      if (!hooks.has('before_agent_run')) return { outcome: 'pass' };
      const event = {
        prompt,
        messages,
        systemPrompt,
        channelId: input.surface,
        senderId: 'user',
        senderIsOwner: true,
      };
      return await hooks.gate('before_agent_run', event, scope.agentContext(), signal);
    },

    async beforeAgentReply() {
      if (!hooks.has('before_agent_reply')) return undefined;
      const claimed = await hooks.claim(
        'before_agent_reply',
        { cleanedBody: prompt },
        scope.agentContext(),
        signal,
      );
      return claimed === undefined ? undefined : { text: replyText(claimed.reply) };
    },
  };
}

/** Upstream's reply payload is a text or an object with one; anything else means silence. */
function replyText(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  return isRecord(reply) && typeof reply['text'] === 'string' ? reply['text'] : '';
}

/** What was queued for this turn comes first, oldest before newest (seed 001, next-turn injections). */
function injectedTexts(queued: readonly QueuedInjection[]): {
  readonly prependContext: string;
  readonly appendContext: string;
} {
  const textsAt = (place: QueuedInjection['placement']): string =>
    queued.flatMap(({ placement, text }) => (placement === place ? [text] : [])).join('\n\n');
  return { prependContext: textsAt('prepend_context'), appendContext: textsAt('append_context') };
}

function contextParts(texts: readonly (string | undefined)[]): readonly TextPart[] {
  return texts.flatMap((text) =>
    text === undefined || text === '' ? [] : [{ type: 'text' as const, text, isContext: true }],
  );
}
