import { PincerError } from '../../../base/errors.ts';
import { inertLine } from '../../../base/text.ts';
import type { GuardedResponse } from '../../../net/createGuardedFetch.ts';
import { cleanHtml, type CleanHtml } from './cleanHtml.ts';
import { htmlToText } from './htmlToText.ts';
import { scanHtml } from './scanHtml.ts';

export type ExtractMode = 'markdown' | 'text';

/** What an answer says to a reader. */
export interface WebPage {
  readonly url: string;
  /** Written by the page: one line, nothing hidden; empty where it has none. */
  readonly title: string;
  /** As the server says, without parameters. */
  readonly type: string;
  readonly text: string;
  /** True where the answer was longer than what was read. */
  readonly isCut: boolean;
}

/** The readable form of an answer. @throws PincerError `web_binary` where it is no text. */
export async function readPage(response: GuardedResponse, mode: ExtractMode): Promise<WebPage> {
  const { url, bytes, isCut } = response;
  const header = response.header('content-type') ?? '';
  const type = typeOf(header);
  const kind = kindOf(type, bytes);
  if (kind === 'binary') throw binaryPage(url, type, bytes);
  const source = decodePage(bytes, header);
  const page = { url, type: type === '' ? 'text/plain' : type, isCut };
  if (kind === 'html') {
    const clean = cleanHtml(source, new URL(url));
    const text = mode === 'markdown' ? await toMarkdown(clean) : htmlToText(clean.html);
    return { ...page, title: inertLine(htmlToText(clean.title), 200), text };
  }
  return { ...page, title: '', text: kind === 'json' ? prettyJson(source) : source };
}

/** Beyond these the parser would hold up everything else for more than a second; such a page is read as plain text. */
const maxChars = 400_000;
const maxWeight = 100_000;

/** The content of a page as markdown; of a page too large or too deep for that, as text. */
export async function toMarkdown(page: CleanHtml): Promise<string> {
  if (page.html.length > maxChars || page.weight > maxWeight) return htmlToText(page.html);
  // The library for it is a quarter of a megabyte that few sessions need.
  const { htmlToMarkdown } = await import('./htmlToMarkdown.ts');
  return htmlToMarkdown(page);
}

/** Only what has the form of a type: it is told outside of the fence, and the server may write anything. */
export function typeOf(header: string): string {
  return /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})\s*(?:;|$)/u.exec(header)?.[1]?.toLowerCase() ?? '';
}

function kindOf(type: string, bytes: Uint8Array): 'html' | 'json' | 'text' | 'binary' {
  const start = startOf(bytes);
  const isUtf16 = /^(?:\u00FF\u00FE|\u00FE\u00FF)/u.test(start);
  if (magicOf(start) !== undefined || (start.includes('\0') && !isUtf16)) return 'binary';
  if (/^(?:text\/html|application\/xhtml\+xml)$/u.test(type)) return 'html';
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/u.test(type)) return 'json';
  if (isTextType(type)) return 'text';
  if (type !== '') return 'binary';
  return /^\s*<(?:!doctype html|html|head|body)\b/iu.test(start) ? 'html' : 'text';
}

/** One character for each byte. */
function startOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
}

function isTextType(type: string): boolean {
  return (
    type.startsWith('text/') ||
    /[/+](?:xml|yaml|toml|javascript|ecmascript|x-yaml|x-sh|x-ndjson|jsonl|sql|graphql|x-www-form-urlencoded)$/u.test(
      type,
    )
  );
}

const magics: readonly (readonly [string, string])[] = [
  ['%PDF-', 'a PDF document'],
  ['\u0089PNG', 'a PNG image'],
  ['\u00FF\u00D8\u00FF', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['PK\u0003\u0004', 'a zip archive or office document'],
  ['\u001F\u008B', 'a gzip archive'],
  ['\u007FELF', 'a program'],
];

function magicOf(start: string): string | undefined {
  return magics.find(([magic]) => start.startsWith(magic))?.[1];
}

function binaryPage(url: string, type: string, bytes: Uint8Array): PincerError {
  const what = magicOf(startOf(bytes)) ?? (type === '' ? 'binary data' : `of the type ${type}`);
  return new PincerError('web_binary', `${inertLine(url, 300)} is ${what}, no text that could be shown.`, {
    hint: 'Look for a page or text version of it.',
  });
}

/** Indented; as it is where it is no JSON after all, or cut. */
function prettyJson(source: string): string {
  try {
    return JSON.stringify(JSON.parse(source), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return source;
    throw error;
  }
}

/** Bytes as text: a byte order mark counts first, then the header's charset, then the page's own, else UTF-8. */
function decodePage(bytes: Uint8Array, contentType: string): string {
  const charset =
    markOf(bytes) ?? /charset\s*=\s*["']?([\w.:-]+)/iu.exec(contentType)?.[1] ?? metaCharset(bytes);
  return decode(bytes, charset ?? 'utf-8');
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** Browsers, too, look only at the beginning. */
function metaCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024));
  for (const token of scanHtml(start)) {
    if (token.kind !== 'open' || token.name !== 'meta') continue;
    const content = token.attributes.get('content') ?? '';
    const charset = token.attributes.get('charset') ?? /charset\s*=\s*([\w.:-]+)/iu.exec(content)?.[1];
    // A page that says so in single bytes is no UTF-16.
    if (charset !== undefined) return /^utf-16/iu.test(charset) ? 'utf-8' : charset;
  }
  return undefined;
}

/** An unknown charset is read as UTF-8. */
function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder().decode(bytes);
    throw error;
  }
}
