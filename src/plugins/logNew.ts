import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Log } from '../host/ports.ts';

/** Logs what was not there before: a load that changes nothing says nothing. */
export function logNew(log: Log, before: readonly Diagnostic[], after: readonly Diagnostic[]): void {
  const known = new Set(before.map(({ pluginId, message }) => `${pluginId ?? ''}\n${message}`));
  for (const { level, pluginId, message } of after) {
    if (!known.has(`${pluginId ?? ''}\n${message}`)) {
      log.write(level, pluginId === undefined ? message : `[${pluginId}] ${message}`);
    }
  }
}
