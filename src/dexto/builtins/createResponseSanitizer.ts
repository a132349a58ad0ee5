// Threat: an answer shows secrets that a tool or a file gave to the model. The model's reasoning is shown, too.
import type { DextoPlugin, PluginResult } from '../dextoTypes.ts';
import { cutText } from './cutText.ts';
import { readOptions } from './readOptions.ts';
import { redactionNotices } from './redactionNotices.ts';
import { redactSecrets } from './redactSecrets.ts';
import { responseSanitizerOptions, type ResponseSanitizerOptions } from './responseSanitizerOptions.ts';

const cutMark = '\n[Response truncated]';

/**
 * Takes secrets out of an answer and of the reasoning beside it, and cuts an answer that is too long (Dexto plugin specification, Response Sanitizer Plugin):
 * `maxResponseLength` characters stay, and the line that says so comes on top of them, as the spec has it. Reasoning is not cut.
 */
export function createResponseSanitizer(): DextoPlugin {
  let options: ResponseSanitizerOptions = {};

  return {
    initialize(config) {
      options = readOptions(responseSanitizerOptions, 'responseSanitizer', config);
    },

    beforeResponse({ content, reasoning }): PluginResult {
      const { maxResponseLength } = options;
      const answer = redactSecrets(content, options);
      const thoughts = reasoning === undefined ? undefined : redactSecrets(reasoning, options);
      const isTooLong = maxResponseLength !== undefined && answer.text.length > maxResponseLength;
      const shown = isTooLong ? cutText(answer.text, maxResponseLength) + cutMark : answer.text;
      const modify = {
        ...(shown === content ? {} : { content: shown }),
        ...(thoughts === undefined || thoughts.text === reasoning ? {} : { reasoning: thoughts.text }),
      };
      const notices = [
        ...redactionNotices(answer, 'answer'),
        ...(thoughts === undefined ? [] : redactionNotices(thoughts, 'reasoning')),
        ...(isTooLong ? [cutNotice(answer.text.length, maxResponseLength)] : []),
      ];
      return {
        ok: true,
        ...(Object.keys(modify).length === 0 ? {} : { modify }),
        ...(notices.length === 0 ? {} : { notices }),
      };
    },
  };
}

function cutNotice(length: number, limit: number) {
  const message = `The answer has ${length} characters; the first ${limit} are shown`;
  return { kind: 'warn', code: 'RESPONSE_TRUNCATED', message, details: { length, limit } } as const;
}
