// Threat: a message carries secrets or forbidden words to a model. What was refused is quoted nowhere: not in the answer, not in notices.
import type { BeforeLLMRequestPayload, DextoPlugin, PluginNotice, PluginResult } from '../dextoTypes.ts';
import { contentPolicyOptions, type ContentPolicyOptions } from './contentPolicyOptions.ts';
import { cutText } from './cutText.ts';
import { readOptions } from './readOptions.ts';
import { redactionNotices } from './redactionNotices.ts';
import { redactSecrets, type RedactedSecrets } from './redactSecrets.ts';
import type { RedactionOptions } from './redactionOptions.ts';

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

/** True where a text holds one of the words or phrases. */
type WordMatcher = (text: string) => boolean;

/**
 * Finds whole words and phrases, whatever their case, width and what stands between their words. Reads a text once, however many words
 * there are. Entries without a letter or digit are never found. Pure.
 */
function createWordMatcher(phrases: readonly string[]): WordMatcher {
  const byFirst = new Map<string, string[][]>();
  for (const [first, ...others] of phrases.map(wordsOf)) {
    if (first !== undefined) byFirst.set(first, [...(byFirst.get(first) ?? []), others]);
  }
  if (byFirst.size === 0) return () => false;
  return (text) => {
    const words = wordsOf(text);
    const follows = (others: readonly string[], index: number): boolean =>
      others.every((word, offset) => words[index + 1 + offset] === word);
    return words.some((word, index) => byFirst.get(word)?.some((others) => follows(others, index)) === true);
  };
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** An attached file as plugins get it. */
interface FileData {
  readonly data: string;
  readonly mimeType: string;
}

/** The file in the form it came, and what was taken out of it. */
type RedactedFile = { readonly data: string } & Pick<RedactedSecrets, 'emails' | 'keys'>;

const textTypes =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh|x-httpd-php)\b)/iu;

/**
 * Takes secrets out of an attached file that is text, which comes as plain text, base64 or a data URL. Pictures, PDFs and other bytes stay
 * as they are. Pure.
 */
function redactFileData({ data, mimeType }: FileData, options: RedactionOptions): RedactedFile {
  const unchanged = { data, emails: 0, keys: 0 };
  if (!textTypes.test(mimeType)) return unchanged;
  const head = /^data:[^,]{0,200};base64,/iu.exec(data)?.[0] ?? '';
  const encoded = decode(data.slice(head.length));
  const { text, emails, keys } = redactSecrets(encoded ?? data, options);
  if (emails + keys === 0) return unchanged;
  return { data: encoded === undefined ? text : `${head}${encode(text)}`, emails, keys };
}

/** Undefined for what is no base64 of a text. Plain text is hardly ever base64 of a valid one. */
function decode(data: string): string | undefined {
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/u.test(data)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(data, 'base64'));
    return /[\0-\x08\x0E-\x1F]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
