import type { MemorySource } from '../../config/sections/memorySources.ts';

export interface DatedFile {
  readonly label: string;
  readonly source: MemorySource;
  /** What its front matter calls `date`. */
  readonly frontMatterDate: string | undefined;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

export interface FileDate {
  /** ISO day: of its name, else its front matter, else of its last change (UTC). May lie ahead. */
  readonly day: string;
  /** True where age counts against it. */
  readonly isDated: boolean;
}

/** `2026-02-15`, `2026_02_15`, `2026.02.15` or `20260215` anywhere in a name. */
const inName = /(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)/gu;
/** `2026/02/15`, `2026/02-15` or `2026-02/15` at the end of a path, with more of a name after it. */
const inPath = /(?:^|\/)(\d{4})[-/](\d{2})[-/](\d{2})(?!\d)[^/]*$/u;

/**
 * The day that a file is of. Dated are the notes of a `memory` folder whose name or front matter says a day, and what was said in
 * a session; `MEMORY.md` and documentation keep their full score however old they are (OpenClaw core flow: dated and evergreen files). A
 * day that the calendar does not have is none.
 */
export function dateOfFile(file: DatedFile): FileDate {
  const changed = dayOf(file.modified);
  if (file.source === 'sessions') return { day: changed, isDated: true };
  const said = dayOfLabel(file.label) ?? dayOfText(file.frontMatterDate ?? '');
  const isMemory = /(?:^|\/)memory\//iu.test(file.label);
  return said === undefined ? { day: changed, isDated: false } : { day: said, isDated: isMemory };
}

/** The ISO day (UTC) of a time; that of the epoch for what is no time. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  return new Date(Number.isNaN(date.getTime()) ? 0 : ms).toISOString().slice(0, 10);
}

function dayOfLabel(label: string): string | undefined {
  const name = label.slice(label.lastIndexOf('/') + 1);
  for (const [, year, , month, day] of name.matchAll(inName)) {
    const named = isoDay(year, month, day);
    if (named !== undefined) return named;
  }
  const [, year, month, day] = inPath.exec(label) ?? [];
  return isoDay(year, month, day);
}

function dayOfText(text: string): string | undefined {
  const [, year, month, day] = /^\s*(\d{4})-(\d{2})-(\d{2})(?!\d)/u.exec(text) ?? [];
  return isoDay(year, month, day);
}

/** Undefined for what is no day of the calendar, or hardly one of a note. */
function isoDay(year = '', month = '', day = ''): string | undefined {
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  if (Number.isNaN(time) || dayOf(time) !== iso) return undefined;
  return Number(year) >= 1900 && Number(year) < 2200 ? iso : undefined;
}
