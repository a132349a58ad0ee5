import type { Log, LogLevel } from '../../src/host/ports.ts';

export interface InMemoryLog extends Log {
  readonly lines: readonly { readonly level: LogLevel; readonly message: string }[];
}

/** Keeps every line for a test to look at. */
export function createInMemoryLog(): InMemoryLog {
  const lines: { level: LogLevel; message: string }[] = [];
  return { lines, write: (level, message) => void lines.push({ level, message }) };
}
