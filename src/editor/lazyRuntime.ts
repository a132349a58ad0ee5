import type * as vscode from 'vscode';
import { createDisposableStore, type Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import type { Runtime } from '../runtime/index.ts';

/** The runtime of this window. It loads at the first need: activation must stay cheap (docs/architecture.md). */
export interface LazyRuntime extends Disposable {
  /** Loads it where that has not happened yet. Rejects when it can't start; the next call tries again. */
  get(): Promise<Runtime>;
  /** The runtime where it is loaded. */
  peek(): Runtime | undefined;
  /** Attaches a surface as soon as the runtime is loaded; what `attach` returns is released with the surface. */
  whenLoaded(attach: (runtime: Runtime) => Disposable): Disposable;
  /** Ends the runtime where it is loaded or loading; resolves within seconds. */
  stop(): Promise<void>;
}

/** `start` opens the runtime; called at the first need, and again where it failed. */
export function createLazyRuntime(
  start: () => Promise<Runtime>,
  log: Pick<vscode.LogOutputChannel, 'info' | 'error'>,
): LazyRuntime {
  const waiting = new Set<(runtime: Runtime) => void>();
  let runtime: Runtime | undefined;
  let opening: Promise<Runtime> | undefined;

  const open = async (): Promise<Runtime> => {
    const started = performance.now();
    const opened = await start();
    runtime = opened;
    log.info(`Runtime ready in ${(performance.now() - started).toFixed(0)} ms`);
    for (const attach of waiting) attach(opened);
    waiting.clear();
    return opened;
  };

  return {
    get() {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        log.error(`The runtime could not start: ${errorMessage(error)}`);
        throw error;
      });
      return opening;
    },
    peek: () => runtime,
    whenLoaded(attach) {
      const store = createDisposableStore();
      const attachNow = (loaded: Runtime): void => void store.add(attach(loaded));
      if (runtime === undefined) {
        waiting.add(attachNow);
        store.add({ dispose: () => void waiting.delete(attachNow) });
      } else {
        attachNow(runtime);
      }
      return store;
    },
    async stop() {
      const loaded = await opening?.catch(() => undefined);
      await loaded?.stop('shutdown');
    },
    dispose: () => runtime?.dispose(),
  };
}
