import { cancelledError } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';

/** Browsers that are to come back to the editor. */
export interface BrowserReturns {
  /** The first address that `isExpected`. Rejects with `cancelled` when the signal aborts. */
  wait(isExpected: (answer: URL) => boolean, signal: AbortSignal): Promise<URL>;
}

/** `listen` is asked once for as long as anybody waits: VS Code takes one handler of an extension, and sign-ins may wait at once. */
export function createBrowserReturns(listen: (hear: (answer: URL) => void) => Disposable): BrowserReturns {
  const waiting = new Set<(answer: URL) => void>();
  let listening: Disposable | undefined;
  return {
    wait: (isExpected, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(cancelledError());
          return;
        }
        const end = (): void => {
          waiting.delete(hear);
          signal.removeEventListener('abort', end);
          reject(cancelledError());
          if (waiting.size > 0) return;
          listening?.dispose();
          listening = undefined;
        };
        const hear = (answer: URL): void => {
          if (!isExpected(answer)) return;
          resolve(answer);
          end();
        };
        listening ??= listen((answer) => {
          for (const each of [...waiting]) each(answer);
        });
        waiting.add(hear);
        signal.addEventListener('abort', end);
      }),
  };
}
