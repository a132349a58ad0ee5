import type { RedactionOptions } from './redactionOptions.ts';
import { redactSecrets, type RedactedSecrets } from './redactSecrets.ts';

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
export function redactFileData({ data, mimeType }: FileData, options: RedactionOptions): RedactedFile {
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
