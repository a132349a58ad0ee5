import type { PointContext } from '../../hooks/payloads/pointHooks.ts';
import type { LoadedPlugin } from '../loadedPlugin.ts';
import type { ExecutionContext } from '../pluginTypes.ts';

/** Makes what a plugin's method gets beside its payload. `signal` aborts when the turn is cancelled or the plugin's time is over. */
export type ContextFactory = (
  call: PointContext,
  plugin: Pick<LoadedPlugin, 'name' | 'redact'>,
  signal: AbortSignal,
) => ExecutionContext;
