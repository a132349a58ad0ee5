// Threat: a Dexto plugin that guards what models read and what people see must see every word before anything stores, shows or sends
// it, and of what it blocked nothing may stay.
import { inertLine } from '../base/text.ts';
import type { AssistantMessage } from '../contracts/message.ts';
import { httpStatusOf } from '../dexto/httpStatus.ts';
import type { BeforeResponsePayload } from '../dexto/pluginTypes.ts';
import { reasoningOf, withAnswer } from './answerParts.ts';
import type { RunScope } from './runScope.ts';
import { textOf } from './textOf.ts';
import { readRequestPayload, toRequestPayload, type UserWords } from './userWords.ts';

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

/** The Dexto extension points of a turn; those of its calls are in the tool pipeline. */
export interface PointHooks {
  /** `beforeLLMRequest`, for what began the turn or for what the user said while it ran. @throws PincerError `cancelled` */
  beforeRequest(words: UserWords): Promise<WordsVerdict>;
  /** True where a plugin must see a whole answer before anybody else does. */
  judgesAnswers(): boolean;
  /** `beforeResponse`: the answer as it may be shown and stored; the same one where nothing changes. @throws PincerError `cancelled` */
  beforeResponse(answer: AssistantMessage): Promise<AssistantMessage>;
}

export function createPointHooks(scope: RunScope): PointHooks {
  const { points, input } = scope;
  return {
    async beforeRequest(words) {
      if (points?.has('beforeLLMRequest') !== true) return { outcome: 'passed', words };
      const given = toRequestPayload(words, input.session.id);
      const end = await points.run('beforeLLMRequest', given, scope.pointCall());
      if (end.outcome === 'passed')
        return { outcome: 'passed', words: readRequestPayload(words, given, end.payload) };
      const { pluginId, message, notices } = end;
      return {
        outcome: 'blocked',
        pluginId,
        message,
        httpStatus: httpStatusOf(notices),
        replacement: `[Plugin ${inertLine(pluginId, 80)} blocked this message: nothing of it was kept.]`,
      };
    },

    judgesAnswers: () => points?.has('beforeResponse') === true,

    async beforeResponse(answer) {
      if (points?.has('beforeResponse') !== true) return answer;
      const given = toResponsePayload(answer, input.session.id);
      const hasCalls = answer.content.some((part) => part.type === 'toolCall');
      // An answer that only asks for tools says nothing to anybody.
      if (hasCalls && given.content === '' && given.reasoning === undefined) return answer;
      const end = await points.run('beforeResponse', given, scope.pointCall());
      if (end.outcome === 'blocked') return withAnswer(answer, end.message, '');
      const { content, reasoning = '' } = end.payload;
      const hasNewThoughts = reasoning !== (given.reasoning ?? '');
      if (content === given.content && !hasNewThoughts) return answer;
      return withAnswer(answer, content, hasNewThoughts ? reasoning : undefined);
    },
  };
}

function toResponsePayload(answer: AssistantMessage, sessionId: string): BeforeResponsePayload {
  const { provider, model, usage } = answer;
  const reasoning = reasoningOf(answer);
  return {
    content: textOf(answer),
    ...(reasoning === '' ? {} : { reasoning }),
    provider,
    model,
    ...(usage === undefined ? {} : { tokenUsage: { input: usage.input, output: usage.output } }),
    sessionId,
  };
}
