import { errorMessage } from '../base/errors.ts';
import { isThenable } from '../base/untrusted.ts';
import type { Log } from '../host/ports.ts';
import type { DiagnosticEvent, onDiagnosticEvent } from '../sdk/hostFunctions.ts';
import type { CallPlugin } from './createCallGuard.ts';

/** A diagnostic event without its time and number. */
export type DiagnosticFacts = { readonly type: string } & Readonly<Record<string, unknown>>;

/** More than any plugin needs; a loop that subscribes anew each time must not grow without end. */
const maxListeners = 100;

/** Who listens to diagnostic events in one load of one plugin. */
export interface DiagnosticListeners {
  /** What plugins import as `onDiagnosticEvent`. */
  readonly listen: typeof onDiagnosticEvent;
  readonly count: () => number;
  /** Gives each a copy. Never throws: what fails is logged, once. */
  readonly deliver: (event: DiagnosticEvent) => void;
}

export function createDiagnosticListeners(pluginId: string, call: CallPlugin, log: Log): DiagnosticListeners {
  const listeners = new Set<{ readonly hear: (event: DiagnosticEvent) => unknown }>();
  const told = new Set<string>();
  const warn = (message: string): void => {
    if (told.has(message)) return;
    told.add(message);
    log.write('warn', `[${pluginId}] ${message}`, pluginId);
  };
  const failed = (error: unknown): void =>
    warn(`A listener of diagnostic events failed: ${errorMessage(error)}`);
  return {
    listen(hear) {
      if (typeof hear !== 'function') throw new TypeError('onDiagnosticEvent needs a function.');
      if (listeners.size >= maxListeners) {
        warn(`More than ${String(maxListeners)} listeners of diagnostic events: the rest hear nothing.`);
        return () => undefined;
      }
      const listener = { hear: (event: DiagnosticEvent): unknown => Reflect.apply(hear, undefined, [event]) };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    count: () => listeners.size,
    deliver(event) {
      for (const { hear } of [...listeners]) {
        try {
          const result = call('a listener of diagnostic events', () => hear(structuredClone(event)));
          if (isThenable(result)) Promise.resolve(result).catch(failed);
        } catch (error) {
          failed(error);
        }
      }
    },
  };
}
