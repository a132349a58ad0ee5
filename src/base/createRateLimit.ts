/** A token bucket: so many may come at once, and as time goes by so many more in each second. */
export interface RateLimit {
  /** True where one more may come now. */
  take(): boolean;
}

/** `now` in milliseconds. `burst` may come at once; default: what two seconds bring. */
export function createRateLimit(perSecond: number, now: () => number, burst = perSecond * 2): RateLimit {
  let left = burst;
  let at = now();
  return {
    take() {
      const time = now();
      left = Math.min(burst, left + ((time - at) * perSecond) / 1_000);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
