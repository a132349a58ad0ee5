import { describe, expect, it } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import type { WorkerThread } from '../../host/workers.ts';
import type { MemoryEvent } from '../engine/engineState.ts';
import { createThreadCalls, type FromThread, type ThreadCalls, type ToThread } from './protocol.ts';

interface TestThread {
  readonly calls: ThreadCalls;
  readonly posted: readonly ToThread[];
  readonly events: readonly MemoryEvent[];
  /** Whether the process waits for it. */
  isHeld(): boolean;
  tell(message: FromThread): void;
}

function setUp(): TestThread {
  const posted: ToThread[] = [];
  const events: MemoryEvent[] = [];
  let isHeld = false;
  let tell: TestThread['tell'] = () => undefined;
  const thread: WorkerThread = {
    post: (message) => void posted.push(message as ToThread),
    onMessage: (listener) => (tell = listener),
    onEnd: () => undefined,
    holdProcess: (held) => (isHeld = held),
    terminate: () => Promise.resolve(),
  };
  const calls = createThreadCalls(thread, (event) => void events.push(event));
  return { calls, posted, events, isHeld: () => isHeld, tell: (message) => tell(message) };
}

describe('createThreadCalls', () => {
  it('gives each call its own answer, and holds the process until the last has come', async () => {
    const { calls, posted, isHeld, tell } = setUp();
    expect(isHeld()).toBe(false);
    const [one, two] = [calls.call('find', ['a']), calls.call('find', ['b'])];
    expect(posted).toEqual([
      { kind: 'request', id: 1, method: 'find', params: ['a'] },
      { kind: 'request', id: 2, method: 'find', params: ['b'] },
    ]);
    tell({ kind: 'result', id: 2, value: 'second' });
    expect(await two).toBe('second');
    expect(isHeld()).toBe(true);
    tell({ kind: 'error', id: 1, error: { code: 'io_not_found', message: 'Gone.', hint: 'Look.' } });
    await expect(one).rejects.toEqual(new PincerError('io_not_found', 'Gone.', { hint: 'Look.' }));
    expect(isHeld()).toBe(false);
  });

  it('rejects at once what is cancelled, and tells the thread', async () => {
    const { calls, posted, isHeld, tell } = setUp();
    const controller = new AbortController();
    const asked = calls.call('search', ['cat', {}], controller.signal);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    expect(posted.at(-1)).toEqual({ kind: 'cancel', id: 1 });
    expect(isHeld()).toBe(false);
    // An answer that was under way already says nothing any more.
    tell({ kind: 'result', id: 1, value: 'late' });
    await expect(calls.call('search', ['cat', {}], controller.signal)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(posted).toHaveLength(2);
  });

  it('rejects what is awaited and what comes later once the thread has ended', async () => {
    const { calls, posted, isHeld } = setUp();
    const asked = calls.call('status', []);
    calls.fail(new Error('ended'));
    await expect(asked).rejects.toThrow('ended');
    await expect(calls.call('status', [])).rejects.toThrow('ended');
    expect(posted).toHaveLength(1);
    expect(isHeld()).toBe(false);
  });

  it('hands on events', () => {
    const { events, tell } = setUp();
    tell({ kind: 'event', event: { kind: 'changed' } });
    expect(events).toEqual([{ kind: 'changed' }]);
  });
});
