import { shutdown } from '../base/abort.ts';
import type { GatewayStatus } from '../gateway/gateway.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { Clock } from '../host/ports.ts';
import { stopWithin } from '../host/settlesWithin.ts';

interface ShutdownParts {
  readonly clock: Clock;
  readonly plugins: Pick<PluginManager, 'hooks' | 'close'>;
  readonly events: InternalEvents;
  /** Cancels the turns that run. */
  readonly cancelTurns: (reason: unknown) => void;
  /** What plugins are told at the end. */
  readonly context: GatewayContext;
  /** Resolves when nothing of any turn runs any more. */
  readonly turnsSettled: () => Promise<void>;
  readonly endSessions: (reason: 'shutdown' | 'restart') => Promise<void>;
  /** Ends commands that still run. */
  readonly endCommands: () => Promise<void>;
  /** What is closed last, all at once. */
  readonly closeAll: () => Promise<unknown>;
}

/** The end of a runtime: turns, sessions, `gateway_stop`, services, in bounded time whatever plugins do. */
export function createShutdown(parts: ShutdownParts): (reason: 'shutdown' | 'restart') => Promise<void> {
  const { clock, plugins, events, context } = parts;

  const endEverything = async (reason: 'shutdown' | 'restart'): Promise<void> => {
    try {
      await stopWithin(clock, 1_000, () => parts.turnsSettled());
      await stopWithin(clock, 1_500, () => parts.endSessions(reason));
      await events.emit('gateway', 'shutdown', { context: { reason, ...context } });
    } finally {
      if (plugins.hooks.has('gateway_stop')) await plugins.hooks.observe('gateway_stop', { reason }, context);
    }
  };

  return async (reason) => {
    parts.cancelTurns(shutdown);
    await stopWithin(clock, 5_000, async () => {
      try {
        // Commands need a while to end, too: they get it while plugins take theirs.
        await stopWithin(clock, 3_000, async () => {
          await Promise.all([endEverything(reason), parts.endCommands()]);
        });
      } finally {
        await parts.closeAll();
      }
    });
  };
}

/** Second argument of the lifecycle hooks. */
export interface GatewayContext {
  readonly workspaceDir?: string;
  /** Of the gateway, while this window serves it. */
  readonly port?: number;
}

export function gatewayContext(folders: readonly string[], gateway?: GatewayStatus): GatewayContext {
  return {
    ...(folders[0] === undefined ? {} : { workspaceDir: folders[0] }),
    ...(gateway?.state === 'running' ? { port: gateway.port } : {}),
  };
}
