const msPerDay = 86_400_000;

/** What a half-life leaves of a score: 1 at age 0, 0.5 after one half-life (OpenClaw core flow). A future date counts as today. */
export function calculateTemporalDecayMultiplier(age: {
  readonly ageInDays: number;
  readonly halfLifeDays: number;
}): number {
  const lambda = Math.LN2 / age.halfLifeDays;
  return Math.exp(-lambda * Math.max(0, age.ageInDays));
}

/** Days since the beginning of an ISO day in UTC, at least 0; undefined where it names no day of the calendar. */
export function ageInDaysOf(date: string, now: number): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(date)) return undefined;
  const start = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== date) return undefined;
  return Math.max(0, (now - start) / msPerDay);
}

/**
 * The multiplier for a passage: the seed's, but never below the config's floor, since an old note is still the answer where
 * there is no newer one. Without an age (evergreen) it is 1.
 */
export function temporalDecay(
  ageInDays: number | undefined,
  config: { readonly enabled: boolean; readonly halfLifeDays: number; readonly floor: number },
): number {
  if (!config.enabled || ageInDays === undefined) return 1;
  return Math.max(
    config.floor,
    calculateTemporalDecayMultiplier({ ageInDays, halfLifeDays: config.halfLifeDays }),
  );
}
