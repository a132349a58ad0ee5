// Threat: a plugin may hang, answer late, throw anything or change what it is given. It gets copies of its own, its time is
// limited, and what comes after the end counts for nothing.
import { copyData } from '../base/untrusted.ts';
import type { Deadlines } from '../hooks/callHandler.ts';
import { isThenable } from '../base/untrusted.ts';
import type { ContextFactory } from './context/contextFactory.ts';
import { DextoPluginError } from './errors.ts';
import type { PointCall, PointPayloads } from './extensionPoints.ts';
import type { LoadedPlugin } from './loadedPlugin.ts';
import type { ExtensionPoint } from './pluginTypes.ts';

/** How the call of a plugin ended. */
export type CallEnd =
  | { readonly status: 'returned'; readonly value: unknown }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'timed-out' }
  /** The turn was cancelled. */
  | { readonly status: 'cancelled' };

/** What is asked of a plugin. */
export interface PluginCall<P extends ExtensionPoint = ExtensionPoint> {
  readonly plugin: LoadedPlugin;
  readonly point: P;
  readonly payload: PointPayloads[P];
  readonly call: PointCall;
  /** By the clock that only grows. */
  readonly startedAt: number;
}

/**
 * Calls a plugin's method, which may answer at once or by a promise. Resolves after the plugin's time or when the turn is cancelled
 * at the latest; both abort the plugin's signal. Never rejects.
 */
export async function callPlugin(
  asked: PluginCall,
  context: ContextFactory,
  deadlines: Deadlines,
): Promise<CallEnd> {
  const scope = new AbortController();
  try {
    const value = start(asked, context, scope.signal);
    if (!isThenable(value)) return { status: 'returned', value };
    return await settle(Promise.resolve(value), asked, scope, deadlines);
  } catch (error) {
    return { status: 'failed', error };
  }
}

type Methods = Readonly<Record<ExtensionPoint, (payload: object, context: object) => unknown>>;

function start(
  { plugin, point, payload, call }: PluginCall,
  context: ContextFactory,
  signal: AbortSignal,
): unknown {
  const methods = plugin.instance as Methods;
  const work = (): unknown => methods[point](copyData(payload), context(call, plugin, signal));
  return plugin.call === undefined ? work() : plugin.call(point, work);
}

function settle(
  pending: Promise<unknown>,
  { plugin, point, call: { signal }, startedAt }: PluginCall,
  scope: AbortController,
  deadlines: Deadlines,
): Promise<CallEnd> {
  return new Promise((resolve) => {
    /** Only the first end counts. */
    const end = (answer: CallEnd): void => {
      deadlines.remove(deadline);
      signal.removeEventListener('abort', cancel);
      resolve(answer);
    };
    const cancel = (): void => {
      end({ status: 'cancelled' });
      scope.abort(signal.reason);
    };
    const expire = (): void => {
      end({ status: 'timed-out' });
      const message = `The plugin ${plugin.name} took longer than ${plugin.timeoutMs} ms.`;
      const context = { plugin: plugin.name, extensionPoint: point };
      scope.abort(new DextoPluginError(message, context, { type: 'PLUGIN_EXECUTION_TIMEOUT' }));
    };
    const deadline = deadlines.add(startedAt + plugin.timeoutMs, expire);
    pending.then(
      (value) => end({ status: 'returned', value }),
      (error: unknown) => end({ status: 'failed', error }),
    );
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  });
}
