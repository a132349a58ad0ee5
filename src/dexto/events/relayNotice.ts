import type { PointNotice } from '../pointFacts.ts';
import type { AgentEventBus } from './createAgentEventBus.ts';

/** Tells plugins of a notice that one of them gave, within the tenant of its call. Never throws. */
export function relayNotice(bus: AgentEventBus, { point, pluginId, call, notice }: PointNotice): void {
  if (!bus.has('plugin:notice')) return;
  const { sessionId, runId, tenant } = call;
  bus.emit('plugin:notice', { ...notice, sessionId, runId, plugin: pluginId, point }, tenant);
}
