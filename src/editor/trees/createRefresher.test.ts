import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRefresher } from './createRefresher.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('createRefresher', () => {
  it('runs at once, then once more for all requests of the pause', async () => {
    let runs = 0;
    const refresher = createRefresher(100, async () => void (runs += 1));
    refresher.request();
    expect(runs).toBe(1);
    refresher.request();
    refresher.request();
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(runs).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toBe(2);
  });

  it('never runs twice at once, and keeps the request that came meanwhile', async () => {
    const ends: (() => void)[] = [];
    const refresher = createRefresher(100, () => new Promise((resolve) => ends.push(resolve)));
    refresher.request();
    refresher.request();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(2);
  });

  it('runs nothing after it was disposed of', async () => {
    let runs = 0;
    const refresher = createRefresher(100, async () => void (runs += 1));
    refresher.request();
    refresher.request();
    refresher.dispose();
    await vi.advanceTimersByTimeAsync(1_000);
    refresher.request();
    expect(runs).toBe(1);
  });
});
