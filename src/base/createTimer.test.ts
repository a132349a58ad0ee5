import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTimer } from './createTimer.ts';

describe('createTimer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('calls once for a burst, by its first start, and again for the next', () => {
    const call = vi.fn();
    const timer = createTimer(100, call);
    timer.start();
    vi.advanceTimersByTime(60);
    timer.start();
    vi.advanceTimersByTime(40);
    expect(call).toHaveBeenCalledTimes(1);
    timer.start();
    vi.advanceTimersByTime(100);
    expect(call).toHaveBeenCalledTimes(2);
  });

  it('calls once for a burst, by its last restart', () => {
    const call = vi.fn();
    const timer = createTimer(100, call);
    timer.restart();
    vi.advanceTimersByTime(60);
    timer.restart();
    vi.advanceTimersByTime(60);
    expect(call).not.toHaveBeenCalled();
    vi.advanceTimersByTime(40);
    expect(call).toHaveBeenCalledTimes(1);
  });

  it('may be started by its own call, and calls no more once it is stopped', () => {
    const call = vi.fn(() => timer.start());
    const timer = createTimer(100, call);
    timer.start();
    vi.advanceTimersByTime(200);
    expect(call).toHaveBeenCalledTimes(2);
    timer.stop();
    vi.advanceTimersByTime(200);
    expect(call).toHaveBeenCalledTimes(2);
  });
});
