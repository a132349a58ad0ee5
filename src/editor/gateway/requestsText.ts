// Threat: a path carries a key, as callbacks of some services do, and the log is pasted somewhere. Queries and headers never get here.
import { redactKeys } from '../../base/secrets/redactKeys.ts';
import { inertLine } from '../../base/text.ts';
import type { GatewayRequest } from '../../gateway/gateway.ts';

/** The requests as lines of columns, the newest first. Pure; `timeOf` writes milliseconds since the epoch. */
export function requestsText(
  requests: readonly GatewayRequest[],
  heads: readonly [time: string, method: string, path: string, status: string, ms: string],
  timeOf: (at: number) => string,
): string {
  const rows = requests
    .toReversed()
    .map(({ at, method, path, status, durationMs }) => [
      timeOf(at),
      inertLine(method, 10),
      redactKeys(inertLine(path, 200)),
      String(status),
      durationMs.toFixed(1),
    ]);
  const lines = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const shown = lines.map((line) =>
    line.map((cell, column) =>
      column < 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  );
  return `${shown.map((cells) => cells.join('  ')).join('\n')}\n`;
}
