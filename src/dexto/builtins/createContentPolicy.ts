// Threat: a message carries secrets or forbidden words to a model. What was refused is quoted nowhere: not in the answer, not in notices.
import type { BeforeLLMRequestPayload, DextoPlugin, PluginNotice, PluginResult } from '../dextoTypes.ts';
import { contentPolicyOptions, type ContentPolicyOptions } from './contentPolicyOptions.ts';
import { createWordMatcher, type WordMatcher } from './createWordMatcher.ts';
import { cutText } from './cutText.ts';
import { readOptions } from './readOptions.ts';
import { redactFileData } from './redactFileData.ts';
import { redactionNotices } from './redactionNotices.ts';
import { redactSecrets } from './redactSecrets.ts';

/**
 * Judges what the user sends: its length, forbidden words, secrets in the text and in attached files that are text (Dexto plugin specification,
 * Content Policy Plugin). Length and words are those of the message as it came; files count for secrets only.
 */
export function createContentPolicy(): DextoPlugin {
  let options: ContentPolicyOptions = {};
  let hasBlockedWord: WordMatcher = () => false;

  return {
    initialize(config) {
      options = readOptions(contentPolicyOptions, 'contentPolicy', config);
      hasBlockedWord = createWordMatcher(options.blockedWords ?? []);
    },

    beforeLLMRequest(payload): PluginResult {
      const { maxInputChars, tooLong = 'block' } = options;
      const isTooLong = maxInputChars !== undefined && payload.text.length > maxInputChars;
      if (isTooLong && tooLong === 'block') return tooLongResult(payload.text.length, maxInputChars);
      if (hasBlockedWord(payload.text)) return blockedWordResult();
      const text = isTooLong ? cutText(payload.text, maxInputChars) : payload.text;
      const cut: PluginNotice[] = isTooLong
        ? [{ kind: 'warn', code: 'INPUT_CUT', message: `The message was cut to ${maxInputChars} characters` }]
        : [];
      return redact({ ...payload, text }, payload, cut, options);
    },
  };
}

function redact(
  { text, fileData }: BeforeLLMRequestPayload,
  original: BeforeLLMRequestPayload,
  earlier: readonly PluginNotice[],
  options: ContentPolicyOptions,
): PluginResult {
  const said = redactSecrets(text, options);
  const attached = fileData === undefined ? undefined : redactFileData(fileData, options);
  const modify = {
    ...(said.text === original.text ? {} : { text: said.text }),
    ...(attached === undefined || attached.data === fileData?.data
      ? {}
      : { fileData: { ...fileData, data: attached.data } }),
  };
  const notices = [
    ...earlier,
    ...redactionNotices(said, 'message'),
    ...(attached === undefined ? [] : redactionNotices(attached, 'attached file')),
  ];
  return {
    ok: true,
    ...(Object.keys(modify).length === 0 ? {} : { modify }),
    ...(notices.length === 0 ? {} : { notices }),
  };
}

function tooLongResult(length: number, limit: number): PluginResult {
  const message = `The message has ${length} characters; ${limit} are allowed.`;
  return {
    ok: false,
    cancel: true,
    message,
    notices: [{ kind: 'block', code: 'INPUT_TOO_LONG', message, details: { length, limit } }],
  };
}

function blockedWordResult(): PluginResult {
  const message = 'The message holds a word that is not allowed here.';
  return { ok: false, cancel: true, message, notices: [{ kind: 'block', code: 'CONTENT_BLOCKED', message }] };
}
