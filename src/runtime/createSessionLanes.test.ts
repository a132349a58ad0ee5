import { describe, expect, it } from 'vitest';
import { createSessionLanes } from './createSessionLanes.ts';

/** Turns that end when the test says so. */
function open() {
  const lanes = createSessionLanes();
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (session: string, name: string, signal = new AbortController().signal) =>
    lanes.enter(session, signal, () => {
      started.push(name);
      return Promise.resolve({ outcome: new Promise<void>((resolve) => ends.set(name, resolve)) });
    });
  return { lanes, started, enter, end: (name: string) => ends.get(name)?.() };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('createSessionLanes', () => {
  it('starts a turn when the one before it in the session has ended, in the order they came', async () => {
    const { started, enter, end } = open();
    await enter('a', 'one');
    void enter('a', 'two');
    void enter('a', 'three');
    await settled();
    expect(started).toEqual(['one']);
    end('one');
    await settled();
    expect(started).toEqual(['one', 'two']);
    end('two');
    await settled();
    expect(started).toEqual(['one', 'two', 'three']);
  });

  it('lets turns of other sessions run side by side', async () => {
    const { started, enter } = open();
    await enter('a', 'one');
    await enter('b', 'two');
    expect(started).toEqual(['one', 'two']);
  });

  it('lets one go that is cancelled while it waits; the next one still waits for the first', async () => {
    const { started, enter, end } = open();
    await enter('a', 'one');
    const cancel = new AbortController();
    const two = enter('a', 'two', cancel.signal);
    void enter('a', 'three');
    cancel.abort();
    await expect(two).rejects.toMatchObject({ code: 'cancelled' });
    await settled();
    expect(started).toEqual(['one']);
    end('one');
    await settled();
    expect(started).toEqual(['one', 'three']);
  });

  it('goes on after one that could not be started', async () => {
    const { lanes, started, enter } = open();
    const { signal } = new AbortController();
    await expect(lanes.enter('a', signal, () => Promise.reject(new Error('no disk')))).rejects.toThrow(
      'no disk',
    );
    await enter('a', 'two');
    expect(started).toEqual(['two']);
  });
});
