/** One file of the log: `audit-2026-01-31.jsonl`, then `audit-2026-01-31.1.jsonl` and so on. */
export interface LogFile {
  readonly name: string;
  readonly day: string;
  readonly part: number;
}

/** The files of the log among the names of a folder, oldest first. Other files are not ours. Pure. */
export function findLogFiles(names: readonly string[]): readonly LogFile[] {
  return names
    .flatMap((name) => {
      const { day, part = '0' } =
        /^audit-(?<day>\d{4}-\d{2}-\d{2})(?:\.(?<part>\d{1,6}))?\.jsonl$/u.exec(name)?.groups ?? {};
      return day === undefined ? [] : [{ name, day, part: Number(part) }];
    })
    .sort((a, b) => a.day.localeCompare(b.day) || a.part - b.part);
}

export function nameOfFile(day: string, part: number): string {
  return part === 0 ? `audit-${day}.jsonl` : `audit-${day}.${part}.jsonl`;
}

/** `2026-01-31`, by UTC as the times in the log are. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

const dayMs = 86_400_000;

/** Which files to delete, oldest first: those that are too old, then those above the total. The newest always stays. Pure. */
export function planDeletions(
  files: readonly (LogFile & { readonly bytes: number })[],
  now: number,
  limits: { readonly keepDays: number; readonly maxTotalBytes: number },
): readonly string[] {
  const oldest = dayOf(now - limits.keepDays * dayMs);
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return files.slice(0, -1).flatMap((file) => {
    if (file.day >= oldest && bytes <= limits.maxTotalBytes) return [];
    bytes -= file.bytes;
    return [file.name];
  });
}
