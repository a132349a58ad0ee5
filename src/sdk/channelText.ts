import { normalizeOptionalString } from './textHelpers.ts';

/** Trimmed texts of a list, without blank ones. */
export function normalizeStringEntries(list: readonly unknown[] | null | undefined): string[] {
  return (list ?? []).map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

/** The same, each once. */
export function normalizeUniqueStringEntries(list: readonly unknown[] | null | undefined): string[] {
  return [...new Set(normalizeStringEntries(list))];
}

/** Each text once, in the order they came. */
export function uniqueStrings(list: Iterable<string>): string[] {
  return [...new Set(list)];
}

/** Entries of a list that is written as one text, by commas, semicolons or lines. */
export function parseOptionalDelimitedEntries(text: string | null | undefined): string[] | undefined {
  const entries = normalizeStringEntries(text?.split(/[\n,;]+/u));
  return entries.length === 0 ? undefined : entries;
}

/** The beginning of a text, never half of a character. */
export function truncateUtf16Safe(text: string, maxLength: number): string {
  const limit = Math.max(0, Math.floor(maxLength));
  if (text.length <= limit) return text;
  return text.slice(0, isHighSurrogate(text, limit - 1) ? limit - 1 : limit);
}

/** As `truncateUtf16Safe`; what is cut ends with an ellipsis. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return maxLength < 1 ? '' : `${truncateUtf16Safe(text, maxLength - 1)}…`;
}

/** What of an answer is meant for people: not the thinking that some models write into it. */
export function sanitizeAssistantVisibleText(text: string): string {
  const parts = text.split(/(```[\s\S]*?(?:```|$))/u);
  const told = parts.map((part, index) =>
    index % 2 === 1
      ? part
      : part
          .replace(/<(think|thinking|thought|antthinking)>[\s\S]*?<\/\1>/giu, '')
          .replace(/<(?:think|thinking|thought|antthinking)>[\s\S]*$/iu, '')
          .replace(/<\/?final>/giu, ''),
  );
  return told.join('').trim();
}

/** Pieces of at most `limit` characters, broken at a line, else at a space; blank ones are left out. */
export function chunkTextForOutbound(text: string, limit: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > limit && limit > 0) {
    const window = rest.slice(0, limit + 1);
    const line = window.lastIndexOf('\n');
    const space = window.lastIndexOf(' ');
    const at = line > 0 ? line : space > 0 ? space : cutOf(rest, limit);
    pieces.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...pieces, rest].filter((piece) => piece.trim() !== '');
}

/** The same by its other name. */
export const chunkText: (text: string, limit: number) => string[] = chunkTextForOutbound;

/** The same for markdown: a block of code that is broken is closed and opened again, so that each piece stands alone. */
export function chunkMarkdownText(text: string, limit: number): string[] {
  if (text.length <= limit || limit <= 0) return text.trim() === '' ? [] : [text];
  const pieces: string[] = [];
  let lines: string[] = [];
  let length = 0;
  let fence: string | undefined;
  const closing = (): number => (fence === undefined ? 0 : fenceMark(fence).length + 1);
  const flush = (): void => {
    const body = lines.join('\n');
    if (body.trim() !== '' && lines.some((line) => line !== fence)) {
      pieces.push(fence === undefined ? body.trim() : `${body}\n${fenceMark(fence)}`);
    }
    lines = fence === undefined ? [] : [fence];
    length = fence === undefined ? 0 : fence.length + 1;
  };
  const add = (line: string): void => {
    lines.push(line);
    length += line.length + 1;
  };
  for (const line of text.split('\n')) {
    const isEnd = fence !== undefined && line.trim() === fenceMark(fence);
    if (length > 0 && length + line.length + (isEnd ? 0 : closing()) > limit) flush();
    // A line that fits nowhere: in pieces, the last of which goes on.
    const room = Math.max(1, limit - length - closing());
    const broken = line.length > room && !isEnd ? splitLine(line, room, limit - closing()) : [line];
    for (const [index, part] of broken.entries()) {
      if (index > 0) flush();
      add(part);
    }
    if (isEnd) fence = undefined;
    else if (fence === undefined && /^\s{0,3}(?:```|~~~)/u.test(line)) fence = line.slice(0, limit >> 1);
  }
  fence = undefined;
  flush();
  return pieces;
}

function splitLine(line: string, first: number, others: number): string[] {
  const parts: string[] = [];
  let rest = line;
  let room = first;
  while (rest.length > room) {
    const space = rest.lastIndexOf(' ', room);
    const at = space > room / 2 ? space : cutOf(rest, room);
    parts.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
    room = Math.max(1, others - 16);
  }
  return [...parts, rest];
}

function fenceMark(fence: string): string {
  return /(?:`{3,}|~{3,})/u.exec(fence)?.[0] ?? '```';
}

function cutOf(text: string, at: number): number {
  return at > 1 && isHighSurrogate(text, at - 1) ? at - 1 : at;
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}

/** A link to upstream's page of a channel, as text. */
export function formatDocsLink(path: string, label?: string): string {
  const page = path.trim();
  const url = /^https?:\/\//iu.test(page)
    ? page
    : `https://docs.openclaw.ai${page.startsWith('/') ? '' : '/'}${page}`;
  return normalizeOptionalString(label) === undefined ? url : `${label ?? ''} (${url})`;
}

/** A text without the marks of markdown, for channels that show none. */
export function stripMarkdown(text: string): string {
  return text
    .replace(/^ {0,3}(?:`{3,}|~{3,}).*\n?/gmu, '')
    .replace(/^ {0,3}#{1,6} +/gmu, '')
    .replace(/^ {0,3}> ?/gmu, '')
    .replace(/!?\[(?<label>[^\]]*)\]\((?<url>[^()\s]*)\)/gu, (_all, label: string, url: string) =>
      label === '' || label === url ? url : `${label} (${url})`,
    )
    .replace(/(?<mark>\*\*|__|~~|`)(?<words>[^\n]+?)\k<mark>/gu, '$<words>')
    .trim();
}

/** A text without HTML's line breaks and tags that models write. */
export function sanitizeForPlainText(text: string): string {
  return text.replace(/<br\s*\/?>/giu, '\n').replace(/<\/?(?:b|i|em|strong|code|pre|p|div)>/giu, '');
}

/** Tables stay as they were written. */
export function convertMarkdownTables(text: string, _mode?: unknown): string {
  return text;
}

/** Tables are never converted here. */
export function resolveMarkdownTableMode(_params?: unknown): 'off' {
  return 'off';
}

export interface StyledText {
  readonly text: string;
  readonly styles: readonly { readonly start: number; readonly end: number; readonly style: string }[];
}

/** A text with what marks its styles in the language of a channel; styles without a marker stay unmarked. */
export function renderMarkdownWithMarkers(
  { text, styles }: StyledText,
  how: {
    readonly styleMarkers: Readonly<Record<string, { readonly open: string; readonly close: string }>>;
    readonly escapeText?: (text: string) => string;
  },
  _profile?: unknown,
): string {
  const { styleMarkers, escapeText = (each: string) => each } = how;
  // Those that begin later, or end earlier, stand inside.
  const marked = styles
    .flatMap(({ start, end, style }) => {
      const marker = start < end ? styleMarkers[style] : undefined;
      return marker === undefined ? [] : [{ start, end, marker }];
    })
    .sort((one, other) => one.start - other.start || other.end - one.end);
  const places = [...new Set([0, text.length, ...marked.flatMap(({ start, end }) => [start, end])])].sort(
    (one, other) => one - other,
  );
  return places
    .map((at, index) => {
      const closing = marked
        .filter(({ end }) => end === at)
        .reverse()
        .map(({ marker }) => marker.close);
      const opening = marked.filter(({ start }) => start === at).map(({ marker }) => marker.open);
      return [...closing, ...opening, escapeText(text.slice(at, places[index + 1] ?? at))].join('');
    })
    .join('');
}
