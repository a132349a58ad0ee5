import { describe, expect, it } from 'vitest';
import { cancelledError, raceAbort } from '../../base/abort.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import type { SyncReport } from '../memory.ts';
import { createChangedPaths, createScanSchedule, type ScanSchedule } from './schedules.ts';

describe('createChangedPaths', () => {
  function setUp() {
    const clock = createManualClock();
    const taken: (readonly string[])[] = [];
    const changes = createChangedPaths(clock, (paths) => Promise.resolve(void taken.push(paths)));
    return { clock, taken, changes };
  }

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

describe('createScanSchedule', () => {
  const never = new AbortController().signal;

  const plain = { rebuild: false };

  interface Run {
    readonly rebuild: boolean;
    readonly signal: AbortSignal;
    /** Ends it, with a report that holds this number. */
    readonly end: (added: number) => void;
  }

  function setUp(): {
    readonly scans: ScanSchedule;
    readonly runs: readonly Run[];
    readonly failures: unknown[];
  } {
    const runs: Run[] = [];
    const failures: unknown[] = [];
    const scans = createScanSchedule(
      ({ rebuild }, signal) => {
        const ended = new Promise<SyncReport>((resolve) => {
          runs.push({ rebuild, signal, end: (added) => resolve(reportOf(added)) });
        });
        return raceAbort(ended, signal);
      },
      (error) => failures.push(error),
    );
    return { scans, runs, failures };
  }

  function reportOf(added: number): SyncReport {
    return { added, changed: 0, removed: 0, unchanged: 0, leftOut: 0, passages: 0, tookMs: 0 };
  }

  /** Lets all that is ready happen. */
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('gives a report of a pass that began after the call', async () => {
    const { scans, runs } = setUp();
    scans.schedule();
    const asked = Promise.all([scans.request(plain, never), scans.request({ rebuild: true }, never)]);
    expect(runs).toHaveLength(1);
    runs[0]?.end(1);
    await settled();
    expect(runs.map(({ rebuild }) => rebuild)).toEqual([false, true]);
    runs[1]?.end(2);
    expect((await asked).map(({ added }) => added)).toEqual([2, 2]);
    expect(runs).toHaveLength(2);
  });

  it('lets one who asks join the pass that runs, where that will do', async () => {
    const { scans, runs } = setUp();
    scans.schedule();
    const joined = scans.request({ rebuild: false, joins: true }, never);
    const rebuilt = scans.request({ rebuild: true, joins: true }, never);
    runs[0]?.end(1);
    expect((await joined).added).toBe(1);
    await settled();
    runs[1]?.end(2);
    expect((await rebuilt).added).toBe(2);
    expect(runs.map(({ rebuild }) => rebuild)).toEqual([false, true]);
  });

  it('stops everything at a cancel, what was to follow as well, and goes on when asked again', async () => {
    const { scans, runs, failures } = setUp();
    scans.schedule();
    const joined = expect(scans.request({ rebuild: false, joins: true }, never)).rejects.toEqual(
      cancelledError(),
    );
    const next = expect(scans.request(plain, never)).rejects.toEqual(cancelledError());
    scans.cancel();
    await Promise.all([joined, next, scans.ended()]);
    expect(runs).toHaveLength(1);
    const again = scans.request(plain, never);
    runs[1]?.end(3);
    expect((await again).added).toBe(3);
    expect(failures).toEqual([]);
  });

  it('stops for one who gives up only where nobody else waits', async () => {
    const { scans, runs, failures } = setUp();
    scans.schedule();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = expect(scans.request(plain, first.signal)).rejects.toEqual(cancelledError());
    const stayed = expect(scans.request(plain, second.signal)).rejects.toEqual(cancelledError());
    runs[0]?.end(1);
    await settled();
    first.abort();
    await left;
    expect(runs[1]?.signal.aborted).toBe(false);
    second.abort();
    await stayed;
    expect(runs[1]?.signal.aborted).toBe(true);
    await settled();
    expect(runs).toHaveLength(2);
    expect(failures).toEqual([]);
  });

  it('goes on with the pass that runs when one gives up who waits for the next', async () => {
    const { scans, runs } = setUp();
    scans.schedule();
    const waiting = new AbortController();
    const next = scans.request(plain, waiting.signal);
    waiting.abort();
    await expect(next).rejects.toEqual(cancelledError());
    expect(runs[0]?.signal.aborted).toBe(false);
    runs[0]?.end(1);
    await scans.ended();
    expect(runs).toHaveLength(1);
  });

  it('begins anew for whoever waits', async () => {
    const { scans, runs } = setUp();
    const asked = scans.request({ rebuild: true }, never);
    scans.restart();
    expect(runs[0]?.signal.aborted).toBe(true);
    await settled();
    expect(runs[1]?.rebuild).toBe(true);
    runs[1]?.end(7);
    expect((await asked).added).toBe(7);
  });

  it('stops at its end, and rejects what comes later', async () => {
    const { scans, runs } = setUp();
    const asked = expect(scans.request(plain, never)).rejects.toEqual(cancelledError());
    const queued = expect(scans.request(plain, never)).rejects.toEqual(cancelledError());
    await scans.close();
    await asked;
    await queued;
    await expect(scans.request(plain, never)).rejects.toEqual(cancelledError());
    scans.schedule();
    expect(runs).toHaveLength(1);
  });
});
