/** Counts what may happen in a second; what is left over for a while may come at once, up to two seconds' worth. */
export interface RateLimit {
  /** True where one more may come now. */
  take(): boolean;
}

/** `now` in milliseconds. A token bucket. */
export function createRateLimit(perSecond: number, now: () => number): RateLimit {
  const capacity = perSecond * 2;
  let left = capacity;
  let at = now();
  return {
    take() {
      const time = now();
      left = Math.min(capacity, left + ((time - at) * perSecond) / 1_000);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
