/** `3.1 MB` in units of 1,000, as file managers count; one decimal below 10. */
export function formatBytes(bytes: number, language: string): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  const shown = value.toLocaleString(language, { maximumFractionDigits: digits });
  return `${shown} ${units[unit] ?? ''}`;
}

/** `1,204`. */
export function formatCount(count: number, language: string): string {
  return count.toLocaleString(language);
}

/** The largest priority of a plugin that does not come with Pincer: only Pincer's own guards lie beyond it, at the very ends of the order. */
export const maxPriority = 1_000_000_000;

/** `priority 50`, or `first` and `last` for what lies beyond any other plugin. */
export function formatPriority(priority: number): string {
  if (priority > maxPriority) return 'first';
  return priority < -maxPriority ? 'last' : `priority ${String(priority)}`;
}
