// Threat: a listener is a plugin's code that runs in the middle of others' work, and may be there long after the plugin is gone or
// hear what another tenant does. So it hears only of the tenant it was added for, gets a copy, can't fail anybody, and goes with
// its plugin.

import { errorMessage } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import { copyData, isThenable } from '../../base/untrusted.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { Tenant } from '../../contracts/tenant.ts';
import type { Log } from '../../host/ports.ts';
import type { LoadedPlugin } from '../loadedPlugin.ts';
import type { AgentEventBus as PluginEventBus, Data, ExtensionPoint, PluginNotice } from '../dextoTypes.ts';
import type { PointNotice, PointStop } from '../pointFacts.ts';
import type { DextoErrorCode } from '../dextoErrors.ts';

/** Every name that a plugin may listen to, and what happens under it; other eras of upstream said it otherwise. */
export const agentEventNames: ReadonlyMap<string, AgentEventName> = new Map<string, AgentEventName>([
  ['session:created', 'session:created'],
  ['llm:response', 'llm:response'],
  ['llmservice:response', 'llm:response'],
  ['tool:call', 'tool:call'],
  ['llm:tool-call', 'tool:call'],
  ['llmservice:toolCall', 'tool:call'],
  ['tool:result', 'tool:result'],
  ['llm:tool-result', 'tool:result'],
  ['llmservice:toolResult', 'tool:result'],
  ['plugin:notice', 'plugin:notice'],
  ['plugin:blocked', 'plugin:blocked'],
  ['plugin:failed', 'plugin:failed'],
  ['run:complete', 'run:complete'],
]);

/** A plugin, by the very object that was loaded: another generation of it is another plugin. */
export type ListeningPlugin = Pick<LoadedPlugin, 'name' | 'redact'>;

/** Tells plugins what happens in the agent. */
export interface AgentEventBus {
  /** False where nobody listens: the caller then builds no payload at all. */
  has(event: AgentEventName): boolean;
  /** Calls the listeners of this tenant, in the order they came. Never throws, and waits for nobody. */
  emit<E extends AgentEventName>(event: E, payload: AgentEventPayloads[E], tenant: Tenant | undefined): void;
  /** What a plugin gets while it works for a tenant. */
  of(plugin: ListeningPlugin, tenant: Tenant | undefined): PluginEventBus;
  /** The plugin is gone, and its listeners with it: to be called when it is cleaned up. */
  drop(plugin: ListeningPlugin): void;
}

interface Listening {
  readonly plugin: ListeningPlugin;
  readonly tenantId: string | undefined;
  readonly event: AgentEventName;
  readonly listener: (payload: Data) => unknown;
}

/** Of one plugin for one tenant; a plugin that adds one with each call, and takes none away, reaches it. */
const maxListeners = 100;

export function createAgentEventBus({ log }: { readonly log: Log }): AgentEventBus {
  let all: readonly Listening[] = [];
  const dropped = new WeakSet<ListeningPlugin>();
  const warned = new WeakMap<ListeningPlugin, Set<string>>();

  const write = (plugin: ListeningPlugin, text: string): void =>
    log.write('warn', inertLine(plugin.redact(`[dexto:${plugin.name}] ${text}`), 1_000));
  const warnOnce = (plugin: ListeningPlugin, text: string): void => {
    const said = warned.get(plugin) ?? new Set();
    warned.set(plugin, said);
    if (said.has(text)) return;
    said.add(text);
    write(plugin, text);
  };
  const remove = (gone: Listening): void => {
    all = all.filter((each) => each !== gone);
  };

  const add = (wanted: Listening): (() => void) => {
    const known = all.find((each) => sameAs(each, wanted));
    if (known !== undefined) return () => remove(known);
    const own = all.filter((each) => each.plugin === wanted.plugin && each.tenantId === wanted.tenantId);
    const [oldest] = own;
    if (oldest !== undefined && own.length >= maxListeners) {
      remove(oldest);
      warnOnce(wanted.plugin, `has more than ${String(maxListeners)} listeners; the oldest ones go.`);
    }
    all = [...all, wanted];
    return () => remove(wanted);
  };

  const call = (
    { plugin, event, listener }: Listening,
    payload: AgentEventPayloads[AgentEventName],
  ): void => {
    const failed = (error: unknown): void =>
      write(plugin, `failed while it listened to ${event}: ${errorMessage(error)}`);
    try {
      const answer = listener(copyData(payload));
      if (isThenable(answer)) void Promise.resolve(answer).catch(failed);
    } catch (error) {
      failed(error);
    }
  };

  return {
    has: (event) => all.some((each) => each.event === event),
    emit(event, payload, tenant) {
      for (const each of all)
        if (each.event === event && each.tenantId === tenant?.tenantId) call(each, payload);
    },
    of(plugin, tenant) {
      const tenantId = tenant?.tenantId;
      return Object.freeze<PluginEventBus>({
        on(name, listener, { signal } = {}) {
          const event = agentEventNames.get(name);
          if (typeof listener !== 'function') throw new TypeError('A listener must be a function.');
          if (event === undefined)
            warnOnce(plugin, `listens to "${inertLine(name, 60)}", which never happens.`);
          if (event === undefined || dropped.has(plugin) || signal?.aborted === true) return () => undefined;
          const off = add({ plugin, tenantId, event, listener });
          signal?.addEventListener('abort', off, { once: true });
          return off;
        },
        off(name, listener) {
          const event = agentEventNames.get(name);
          const found = all.find(
            (each) => event !== undefined && sameAs(each, { plugin, tenantId, event, listener }),
          );
          if (found !== undefined) remove(found);
        },
      });
    },
    drop(plugin) {
      dropped.add(plugin);
      all = all.filter((each) => each.plugin !== plugin);
    },
  };
}

function sameAs(one: Listening, other: Listening): boolean {
  const keys = ['plugin', 'tenantId', 'event', 'listener'] as const;
  return keys.every((key) => one[key] === other[key]);
}

/** The turn whose events are passed on. */
interface RelayedTurn {
  readonly sessionId: string;
  readonly runId: string;
  readonly tenant: Tenant | undefined;
}

/**
 * Tells plugins what a turn tells its front end: after plugins and people have judged it, so nothing that was blocked or redacted.
 * What nobody listens to costs nothing. Never throws.
 */
export function relayAgentEvent(
  bus: AgentEventBus,
  { tenant, ...ids }: RelayedTurn,
  event: AgentEvent,
): void {
  switch (event.type) {
    case 'message':
      if (bus.has('llm:response')) bus.emit('llm:response', { ...ids, ...answerOf(event.message) }, tenant);
      return;
    case 'tool_started': {
      const { id: callId, name: toolName, arguments: args } = event.call;
      if (bus.has('tool:call')) bus.emit('tool:call', { ...ids, callId, toolName, args }, tenant);
      return;
    }
    case 'tool_ended': {
      const { toolCallId: callId, toolName, isError } = event.result;
      if (bus.has('tool:result'))
        bus.emit('tool:result', { ...ids, callId, toolName, success: !isError }, tenant);
      return;
    }
    case 'run_ended':
      if (bus.has('run:complete')) bus.emit('run:complete', { ...ids, status: event.outcome.status }, tenant);
      return;
    default:
      return;
  }
}

function answerOf({ provider, model, content, usage }: Extract<AgentMessage, { role: 'assistant' }>) {
  return {
    provider,
    model,
    content: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    ...(usage === undefined ? {} : { tokenUsage: { input: usage.input, output: usage.output } }),
  };
}

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

/** The turn that something happened in. */
interface InTurn {
  readonly sessionId: string;
  readonly runId: string;
}

/** What plugins can listen to, and what they are told. Names are upstream's where it has one. */
interface AgentEventPayloads {
  /** A session has begun: its first turn starts. */
  readonly 'session:created': { readonly sessionId: string; readonly agentId: string };
  /** A model has answered; what stands here was shown and stored. */
  readonly 'llm:response': InTurn & {
    readonly provider: string;
    readonly model: string;
    readonly content: string;
    readonly tokenUsage?: { readonly input: number; readonly output: number };
  };
  /** A tool call begins, as the model wrote it: plugins and people have yet to judge it. */
  readonly 'tool:call': InTurn & {
    readonly callId: string;
    readonly toolName: string;
    readonly args: unknown;
  };
  /** A tool call has ended, or was not carried out (`success` false). */
  readonly 'tool:result': InTurn & {
    readonly callId: string;
    readonly toolName: string;
    readonly success: boolean;
  };
  /** A plugin gave a notice. */
  readonly 'plugin:notice': InTurn &
    PluginNotice & { readonly plugin: string; readonly point: ExtensionPoint };
  /** A plugin stopped something, as it may (`PLUGIN_BLOCKED_EXECUTION`). What may quote the conversation is left out. */
  readonly 'plugin:blocked': InTurn & PluginStopPayload;
  /** A plugin failed or took too long (`PLUGIN_EXECUTION_FAILED`, `PLUGIN_EXECUTION_TIMEOUT`). */
  readonly 'plugin:failed': InTurn & PluginStopPayload;
  /** A turn has ended: `completed`, `cancelled`, `yielded`, `blocked` or `failed`. */
  readonly 'run:complete': InTurn & { readonly status: string };
}

interface PluginStopPayload {
  readonly plugin: string;
  readonly point: ExtensionPoint;
  readonly code: DextoErrorCode;
  readonly httpStatus: number;
  /** False for a plugin that is not blocking. */
  readonly isStopped: boolean;
  readonly message?: string;
  readonly notices: readonly PluginNotice[];
}

type AgentEventName = keyof AgentEventPayloads;
