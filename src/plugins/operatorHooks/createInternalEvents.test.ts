import { expect, it } from 'vitest';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createInternalEvents, type InternalEvent } from './createInternalEvents.ts';

function open(): {
  readonly events: ReturnType<typeof createInternalEvents>;
  readonly reports: Diagnostic[];
} {
  const reports: Diagnostic[] = [];
  const events = createInternalEvents({
    clock: createManualClock(1000),
    report: (each) => void reports.push(each),
  });
  return { events, reports };
}

it('nobody listening means no work: the same settled promise every time', () => {
  const { events } = open();
  events.setListeners('hooks', [{ name: 'a', events: ['command:new'], handler: () => undefined }]);
  expect(events.has('message', 'sent')).toBe(false);
  expect(events.emit('message', 'sent')).toBe(events.emit('gateway', 'startup'));
});

it('an event on its way finishes with the listeners it began with', async () => {
  const { events } = open();
  const seen: string[] = [];
  events.setListeners('hooks', [
    { name: 'a', events: ['command'], handler: () => events.setListeners('hooks', []) },
    { name: 'b', events: ['command'], handler: () => void seen.push('b') },
  ]);
  await events.emit('command', 'new');
  await events.emit('command', 'new');
  expect(seen).toEqual(['b']);
});

it('each handler gets the time of the event and an event of its own', async () => {
  const { events, reports } = open();
  const seen: InternalEvent[] = [];
  const handler = (event: InternalEvent): void => void seen.push(event);
  events.setListeners('plugins', [
    { name: 'a', events: ['command'], handler },
    { name: 'b', events: ['command'], handler },
  ]);
  await events.emit('command', 'stop', { sessionKey: 's' });
  expect(seen.map(({ timestamp, sessionKey }) => [timestamp.getTime(), sessionKey])).toEqual([
    [1000, 's'],
    [1000, 's'],
  ]);
  expect(seen[0]).not.toBe(seen[1]);
  expect(reports).toEqual([]);
});

it('a context field named __proto__ stays a field', async () => {
  const { events } = open();
  events.setListeners('hooks', [
    {
      name: 'a',
      events: ['command'],
      handler: (event: InternalEvent) => {
        event.context = JSON.parse('{"__proto__": {"admin": true}}') as Record<string, unknown>;
      },
    },
  ]);
  const context: Record<string, unknown> = {};
  await events.emit('command', 'new', { context });
  expect(context['admin']).toBeUndefined();
  expect(Object.getPrototypeOf(context)).toBe(Object.prototype);
});

it('what a handler leaves is read, whatever its promise and its lists do, and it keeps no hold of it', async () => {
  const { events } = open();
  const files = { list: ['a.md'] };
  const forged = ['\u202eforged'];
  const seen: unknown[] = [];
  events.setListeners('plugins', [
    {
      name: 'promise',
      events: ['command'],
      handler: () => Object.assign(Promise.resolve(), { then: () => Promise.resolve({ messages: forged }) }),
    },
    {
      name: 'list',
      events: ['command'],
      handler: (event: InternalEvent) => {
        const odd = { filter: () => ({ length: 1, map: () => ({ filter: () => forged }) }), length: 1 };
        event.messages = Object.assign(['said'], { slice: () => odd });
        event.context['files'] = files;
      },
    },
    {
      name: 'later',
      events: ['command:new'],
      handler: ({ context, messages }: InternalEvent) => {
        files.list.push('evil.md');
        seen.push(context['files'], messages);
      },
    },
  ]);
  const context: Record<string, unknown> = {};
  expect(await events.emit('command', 'new', { context })).toEqual(['said']);
  expect(seen).toEqual([{ list: ['a.md'] }, ['said']]);
  files.list.push('late.md');
  expect(context).toEqual({ files: { list: ['a.md'] } });
});

it('an error text of a message event is not told: it may quote what no gate has judged', async () => {
  const { events, reports } = open();
  const quote = (event: InternalEvent): never => {
    Object.defineProperty(event, 'messages', {
      get: () => {
        throw new Error(`unreadable: ${String(event.context['content'])}`);
      },
    });
    throw new Error(`cannot parse ${String(event.context['content'])}`);
  };
  events.setListeners('plugins', [
    { name: 'a', events: ['message', 'command'], handler: quote, pluginId: 'p' },
  ]);
  await events.emit('message', 'received', { context: { content: 'hunter2' } });
  expect(reports.map(({ code }) => code)).toEqual(['hook_failed', 'hook_event_damaged']);
  expect(reports[0]?.message).toContain('may quote the user');
  expect(JSON.stringify(reports)).not.toContain('hunter2');
  await events.emit('command', 'new', { context: { content: 'of no user' } });
  expect(reports[2]?.message).toContain('cannot parse of no user');
});
