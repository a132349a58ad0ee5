import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../host/memory/manualClock.ts';
import { createChangedPaths } from './createChangedPaths.ts';

function setUp() {
  const clock = createManualClock();
  const taken: (readonly string[])[] = [];
  const changes = createChangedPaths(clock, (paths) => Promise.resolve(void taken.push(paths)));
  return { clock, taken, changes };
}

describe('createChangedPaths', () => {
  it('hands on all changes in one go, 300 ms after the last', async () => {
    const { clock, taken, changes } = setUp();
    changes.add(['a']);
    clock.advance(299);
    changes.add(['b', 'a']);
    clock.advance(299);
    expect(changes.size).toBe(2);
    clock.advance(1);
    await changes.flush();
    expect(taken).toEqual([['a', 'b']]);
    expect(changes.size).toBe(0);
  });

  it('waits a second at most where changes keep coming', async () => {
    const { clock, taken, changes } = setUp();
    for (let ms = 0; ms < 1_000; ms += 100) {
      changes.add(['a']);
      clock.advance(100);
    }
    // It is being handed on: what comes now is for the next time.
    await Promise.resolve();
    changes.add(['b']);
    await changes.flush();
    expect(taken).toEqual([['a'], ['b']]);
  });

  it('hands on nothing after its end, whatever is still told', async () => {
    const { clock, taken, changes } = setUp();
    changes.add(['a']);
    await changes.close();
    changes.add(['b']);
    clock.advance(2_000);
    await changes.flush();
    expect([taken, changes.size]).toEqual([[], 0]);
  });

  it('tells a pass what changed since it began, and what it has not been told yet', () => {
    const { changes } = setUp();
    changes.add(['before']);
    const watch = changes.watch();
    changes.add(['during']);
    expect([watch.has('before'), watch.has('during'), watch.has('never')]).toEqual([true, true, false]);
    expect(watch.drain()).toEqual(['before', 'during']);
    changes.add(['during']);
    expect(watch.drain()).toEqual(['during']);
    expect(watch.drain()).toEqual([]);
    watch.stop();
    changes.add(['after']);
    expect(watch.has('after')).toBe(false);
  });
});
