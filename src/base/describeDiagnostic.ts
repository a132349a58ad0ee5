import type { Diagnostic } from '../contracts/diagnostic.ts';

/** A problem in one line: whose it is, what it is, where it stands, and what to do. */
export function describeDiagnostic(diagnostic: Diagnostic): string {
  const { pluginId, message, source, line, hint } = diagnostic;
  const who = pluginId === undefined || message.includes(pluginId) ? '' : `${pluginId}: `;
  const place = source === undefined || line === undefined ? '' : `${source}:${String(line)}`;
  const where = place === '' || message.includes(place) ? '' : ` (${place})`;
  const end = /[.!?]$/u.test(message) ? '' : '.';
  return `${who}${message}${where}${hint === undefined ? '' : `${end} ${hint}`}`;
}
