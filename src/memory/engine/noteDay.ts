import type { MemorySource } from '../../config/sections/memorySection.ts';

/**
 * The day that a note is of: as its file name says, else its front matter. What was said in a session is of the day on which it
 * was last said. Undefined for evergreen notes.
 */
export function noteDay(
  file: { readonly label: string; readonly source: MemorySource; readonly modified: number },
  frontMatterDate: string | undefined,
): string | undefined {
  if (file.source === 'sessions') return dayOf(file.modified);
  const name = file.label.slice(file.label.lastIndexOf('/') + 1);
  const [named] = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/u.exec(name) ?? [];
  return named !== undefined && !Number.isNaN(Date.parse(named)) ? named : frontMatterDate;
}

/** The ISO day (UTC) of a time in milliseconds since the epoch. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? '1970-01-01' : date.toISOString().slice(0, 10);
}
