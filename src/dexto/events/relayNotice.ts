import type { PointNotice, PointStop } from '../pointFacts.ts';
import type { AgentEventBus } from './createAgentEventBus.ts';

/** Tells plugins of a notice that one of them gave, within the tenant of its call. Never throws. */
export function relayNotice(bus: AgentEventBus, { point, pluginId, call, notice }: PointNotice): void {
  if (!bus.has('plugin:notice')) return;
  const { sessionId, runId, tenant } = call;
  bus.emit('plugin:notice', { ...notice, sessionId, runId, plugin: pluginId, point }, tenant);
}

/** Tells plugins that one of them stopped something or failed, within the tenant of its call. Never throws. */
export function relayStop(bus: AgentEventBus, { pluginId, call, ...stop }: PointStop): void {
  const event = stop.code === 'PLUGIN_BLOCKED_EXECUTION' ? 'plugin:blocked' : 'plugin:failed';
  if (!bus.has(event)) return;
  const { sessionId, runId, tenant } = call;
  bus.emit(event, { ...stop, sessionId, runId, plugin: pluginId }, tenant);
}
