import { isRecord } from '../base/json.ts';
import { inertLine } from '../base/text.ts';
import type { AgentMessage, TextPart } from '../contracts/message.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import type { HookOutcome } from '../hooks/hookTypes.ts';
import type { PromptChange } from '../hooks/payloads/agentHooks.ts';
import {
  addedBy,
  queuedContributions,
  type Contribution,
  planWholePrompt,
  systemPromptOf,
} from './prompt/planWholePrompt.ts';
import type { RunScope } from './runScope.ts';
import { readRequestPayload, toRequestPayload, type UserWords } from './userWords.ts';

export interface PreparedPrompt {
  readonly systemPrompt: string;
  /** What plugins put before and after the user's words, for this turn only. */
  readonly before: readonly TextPart[];
  readonly after: readonly TextPart[];
  /** All of the above, with who brought what. */
  readonly parts: readonly PromptPart[];
  /** What the older before_agent_start says of the model; before_model_resolve beats it. */
  readonly choice: HookOutcome<'before_model_resolve'>;
}

/** What became of the user's words. */
export type WordsVerdict =
  | { readonly outcome: 'passed'; readonly words: UserWords }
  | {
      readonly outcome: 'blocked';
      readonly pluginId: string;
      /** The plugin's, for the user alone: it may quote what it blocked. */
      readonly message: string;
      readonly httpStatus: number;
      /** What is stored in place of the words. */
      readonly replacement: string;
    };

/** The hooks between the user's message and the first model call. */
export interface PromptHooks {
  /** Of what began the turn, or of what the user said while it ran. */
  messageReceived(text?: string): void;
  /** `beforeLLMRequest`, for what began the turn or for what the user said while it ran. @throws PincerError `cancelled` */
  beforeRequest(words: UserWords): Promise<WordsVerdict>;
  beforeModelResolve(): Promise<HookOutcome<'before_model_resolve'>>;
  /** `agent_turn_prepare`, `before_prompt_build` and the older `before_agent_start`, joined as upstream joins them. */
  preparePrompt(history: readonly AgentMessage[]): Promise<PreparedPrompt>;
  beforeAgentRun(
    history: readonly AgentMessage[],
    systemPrompt: string,
    text?: string,
  ): Promise<HookOutcome<'before_agent_run'>>;
  /** The reply of a plugin that takes the model's place; undefined where none does. */
  beforeAgentReply(): Promise<{ readonly text: string } | undefined>;
}

export function createPromptHooks(scope: RunScope): PromptHooks {
  const { hooks, input, runId, clock } = scope;
  const { session, signal } = input;
  const withoutSecrets = <T extends { readonly text: string }>(given: T): T => ({
    ...given,
    text: scope.redact(given.text),
  });
  return {
    messageReceived(text = scope.words.text) {
      scope.tellInternal('received', { from: 'user', content: text, timestamp: clock.now() });
      if (!hooks.has('message_received')) return;
      const event = {
        from: 'user',
        content: text,
        timestamp: clock.now(),
        senderId: 'user',
        sessionKey: session.key,
        runId,
      };
      scope.inBackground(hooks.observe('message_received', event, scope.messageContext()));
    },

    async beforeRequest(words) {
      if (!hooks.has('beforeLLMRequest')) return { outcome: 'passed', words };
      const given = toRequestPayload(words, session.id);
      const { payload, block } = await hooks.modify('beforeLLMRequest', given, scope.pointContext(), signal);
      if (block === undefined) return { outcome: 'passed', words: readRequestPayload(words, given, payload) };
      const { pluginId, message, httpStatus } = block;
      // Of what was blocked nothing may stay.
      const replacement = `[Plugin ${inertLine(pluginId, 80)} blocked this message: nothing of it was kept.]`;
      return { outcome: 'blocked', pluginId, message, httpStatus, replacement };
    },

    async beforeModelResolve() {
      if (!hooks.has('before_model_resolve')) return {};
      const { text: prompt } = scope.words;
      const attachments = scope.words.attachments.map((part) =>
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
      const { text: prompt } = scope.words;
      scope.tellInternal('preprocessed', { from: 'user', body: prompt, bodyForAgent: prompt });
      const queuedInjections = (await input.takeInjections?.()) ?? [];
      const turn = collect();
      if (hooks.has('agent_turn_prepare'))
        await hooks.modify(
          'agent_turn_prepare',
          { prompt, messages, queuedInjections },
          scope.agentContext(),
          signal,
          { contributed: turn.add },
        );
      const build = collect();
      if (hooks.has('before_prompt_build'))
        await hooks.modify('before_prompt_build', { prompt, messages }, scope.agentContext(), signal, {
          contributed: build.add,
        });
      const start = collect();
      const legacy: HookOutcome<'before_agent_start'> = hooks.has('before_agent_start')
        ? await hooks.modify(
            'before_agent_start',
            { prompt, messages, runId },
            scope.agentContext(),
            signal,
            { contributed: start.add },
          )
        : {};
      const said = {
        queued: queuedContributions(queuedInjections).map(withoutSecrets),
        turn: turn.said.map(withoutSecrets),
        build: build.said.map(withoutSecrets),
        start: start.said.map(withoutSecrets),
      };
      const sources = [said.queued, said.turn, said.build, said.start];
      const parts = planWholePrompt({ own: input.promptParts.map(withoutSecrets), ...said });
      return {
        systemPrompt: systemPromptOf(parts),
        before: contextParts(sources, 'prependContext'),
        after: contextParts(sources, 'appendContext'),
        parts,
        choice: {
          ...(legacy.modelOverride === undefined ? {} : { modelOverride: legacy.modelOverride }),
          ...(legacy.providerOverride === undefined ? {} : { providerOverride: legacy.providerOverride }),
        },
      };
    },

    async beforeAgentRun(messages, systemPrompt, text = scope.words.text) {
      if (!hooks.has('before_agent_run')) return { outcome: 'pass' };
      const event = {
        prompt: text,
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
        { cleanedBody: scope.words.text },
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

/** Keeps what each handler of one hook adds. */
function collect(): {
  readonly said: Contribution[];
  readonly add: (pluginId: string, before: PromptChange, after: PromptChange) => void;
} {
  const said: Contribution[] = [];
  return { said, add: (pluginId, before, after) => void said.push(...addedBy(pluginId, before, after)) };
}

/**
 * What plugins put around the user's words, one text for each source, as upstream joins them. It is no word of the user's and
 * marked as context.
 */
function contextParts(
  sources: readonly (readonly Contribution[])[],
  field: 'prependContext' | 'appendContext',
): readonly TextPart[] {
  const texts = sources.map((said) =>
    said
      .filter((each) => each.field === field)
      .map(({ text }) => text)
      .join('\n\n'),
  );
  return texts.flatMap((text) => (text === '' ? [] : [{ type: 'text' as const, text, isContext: true }]));
}
