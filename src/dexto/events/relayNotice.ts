import type { PointCall } from '../extensionPoints.ts';
import type { PointNotice } from '../pointNotice.ts';
import type { AgentEventBus } from './createAgentEventBus.ts';

/** A notice, and for whom the call runs that it belongs to. */
export type RelayedNotice = Omit<PointNotice, 'call'> & {
  readonly call: Pick<PointCall, 'runId' | 'sessionId' | 'tenant'>;
};

/** Tells plugins of a notice that one of them gave, within the tenant of its call. Never throws. */
export function relayNotice(bus: AgentEventBus, { point, pluginId, call, notice }: RelayedNotice): void {
  if (!bus.has('plugin:notice')) return;
  const { sessionId, runId, tenant } = call;
  bus.emit('plugin:notice', { ...notice, sessionId, runId, plugin: pluginId, point }, tenant);
}
