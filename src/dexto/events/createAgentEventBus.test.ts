import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import { createInMemoryLog, type InMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import {
  createAgentEventBus,
  relayAgentEvent,
  type AgentEventBus,
  type ListeningPlugin,
} from './createAgentEventBus.ts';

const a = { tenantId: 'a' };
const plugin: ListeningPlugin = { name: 'audit', redact: (text) => text.replaceAll('hunter2', '[removed]') };
const created = (sessionId: string) => ({ sessionId, agentId: 'main' });

describe('the event bus of plugins', () => {
  let log: InMemoryLog;
  let bus: AgentEventBus;
  let heard: unknown[];
  const hear = (payload: unknown): void => void heard.push(payload);
  beforeEach(() => {
    log = createInMemoryLog();
    bus = createAgentEventBus({ log });
    heard = [];
  });

  it('tells a listener what happens for its tenant, and nothing of another one or of nobody', () => {
    bus.of(plugin, a).on('session:created', hear);
    bus.emit('session:created', created('1'), a);
    bus.emit('session:created', created('2'), { tenantId: 'b' });
    bus.emit('session:created', created('3'), undefined);
    expect(heard).toEqual([created('1')]);
    bus.of(plugin, undefined).on('session:created', hear);
    bus.emit('session:created', created('4'), undefined);
    expect(heard).toEqual([created('1'), created('4')]);
  });

  it('gives each listener a copy', () => {
    const change = (payload: unknown): void => void Object.assign(payload as object, { agentId: 'changed' });
    bus.of(plugin, a).on('session:created', change);
    bus.of(plugin, a).on('session:created', hear);
    bus.emit('session:created', created('1'), a);
    expect(heard).toEqual([created('1')]);
  });

  it('logs what a listener throws or rejects with, without its secrets, and tells the others', async () => {
    const failing = [
      () => {
        throw new Error('no hunter2');
      },
      () => Promise.reject(new Error('later hunter2')),
    ];
    for (const each of [...failing, hear]) bus.of(plugin, a).on('session:created', each);
    bus.emit('session:created', created('1'), a);
    await setImmediate();
    expect(heard).toHaveLength(1);
    expect(log.lines.map(({ message }) => message)).toEqual([
      '[dexto:audit] failed while it listened to session:created: no [removed]',
      '[dexto:audit] failed while it listened to session:created: later [removed]',
    ]);
  });

  it('stops where the listener is taken away, its signal aborts, or its plugin goes', () => {
    const of = bus.of(plugin, a);
    const stop = new AbortController();
    of.on('tool:call', hear);
    of.off('tool:call', hear);
    of.on('tool:call', hear)();
    of.on('tool:call', hear, { signal: stop.signal });
    expect(bus.has('tool:call')).toBe(true);
    stop.abort();
    of.on('tool:call', hear, { signal: stop.signal });
    expect(bus.has('tool:call')).toBe(false);
    of.on('tool:call', hear);
    bus.drop(plugin);
    expect(bus.has('tool:call')).toBe(false);
    of.on('tool:call', hear);
    expect(bus.has('tool:call')).toBe(false);
  });

  it('leaves the listeners of another plugin and of another tenant alone', () => {
    const other = { ...plugin };
    bus.of(plugin, a).on('tool:call', hear);
    bus.of(other, a).on('tool:call', hear);
    bus.of(plugin, { tenantId: 'b' }).off('tool:call', hear);
    bus.drop(other);
    expect(bus.has('tool:call')).toBe(true);
  });

  it('adds the same listener once, and lets the oldest go where a plugin adds one with each call', () => {
    const of = bus.of(plugin, a);
    for (let at = 0; at < 5; at += 1) of.on('session:created', hear);
    bus.emit('session:created', created('1'), a);
    expect(heard).toHaveLength(1);
    for (let at = 0; at < 150; at += 1) of.on('session:created', () => void heard.push(at));
    heard = [];
    bus.emit('session:created', created('2'), a);
    expect(heard).toEqual(Array.from({ length: 100 }, (_, at) => at + 50));
    expect(log.lines.filter(({ message }) => message.includes('more than 100 listeners'))).toHaveLength(1);
  });

  it('knows upstream’s names of the same events, and says once which never happen', () => {
    const of = bus.of(plugin, a);
    of.on('llmservice:response', hear);
    expect(bus.has('llm:response')).toBe(true);
    for (let at = 0; at < 3; at += 1) of.on('constructor', hear);
    expect(log.lines.map(({ message }) => message)).toEqual([
      '[dexto:audit] listens to "constructor", which never happens.',
    ]);
  });

  it('passes on what a turn tells its front end', () => {
    const turn = { sessionId: 's', runId: 'r', tenant: a };
    const call = { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'x' } } as const;
    const events: readonly AgentEvent[] = [
      {
        type: 'message',
        message: {
          role: 'assistant',
          content: [{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'Hi' }, call],
          ...{ provider: 'p', model: 'm', stopReason: 'toolUse', timestamp: 1 },
          usage: { input: 1, output: 2, cacheRead: 1 },
        },
      },
      { type: 'tool_started', call, label: 'Read', target: '' },
      {
        type: 'tool_ended',
        call,
        result: {
          ...{ role: 'toolResult', toolCallId: 'c', toolName: 'read', content: [], isError: true },
          timestamp: 1,
        },
      },
      { type: 'text', text: 'not finished' },
      { type: 'run_ended', runId: 'r', outcome: { status: 'blocked', pluginId: 'p', text: 'no' } },
    ];
    for (const name of ['llm:response', 'tool:call', 'tool:result', 'run:complete'])
      bus.of(plugin, a).on(name, hear);
    for (const each of events) relayAgentEvent(bus, turn, each);
    const ids = { sessionId: 's', runId: 'r' };
    expect(heard).toEqual([
      { ...ids, provider: 'p', model: 'm', content: 'Hi', tokenUsage: { input: 1, output: 2 } },
      { ...ids, callId: 'c', toolName: 'read', args: { path: 'x' } },
      { ...ids, callId: 'c', toolName: 'read', success: false },
      { ...ids, status: 'blocked' },
    ]);
  });
});
