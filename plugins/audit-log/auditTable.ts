import type { AuditEntry } from './createAuditStore.ts';

/** Entries as a markdown table. What models, tools and files bring in stands in code spans, where it has no effect. Pure. */
export function auditTable(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return 'The audit log is empty.';
  const rows = entries.map((entry) => `| ${cellsOf(entry).join(' | ')} |`);
  return ['| time (UTC) | event | what | outcome | ms |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

function cellsOf(entry: AuditEntry): readonly string[] {
  const paths = Array.isArray(entry['paths'])
    ? entry['paths'].filter((path) => typeof path === 'string')
    : [];
  const what = [entry['tool'], ...paths.slice(0, 3)].map(code).filter((cell) => cell !== '');
  const more = paths.length > 3 ? [`and ${paths.length - 3} more`] : [];
  const outcome = [entry['outcome'], entry['by'], entry['code'], entry['reason']]
    .map(code)
    .filter((cell) => cell !== '');
  const ms = entry['durationMs'];
  return [
    code(entry.time.slice(0, 19).replace('T', ' ')),
    code(entry.kind),
    [...what, ...more].join(' '),
    outcome.join(' '),
    typeof ms === 'number' ? String(Math.round(ms)) : '',
  ];
}

const maxCell = 80;
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

function code(value: unknown): string {
  if (typeof value !== 'string' || value === '') return '';
  const text = value.replace(invisible, ' ').trim();
  const short = text.length > maxCell ? `…${text.slice(1 - maxCell)}` : text;
  return `\`${short.replaceAll('`', "'").replaceAll('\\', '/').replaceAll('|', '\\|')}\``;
}
