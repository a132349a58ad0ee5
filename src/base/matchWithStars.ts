/** Counts comparisons, so that whoever matches untrusted patterns can stop at some point. */
export interface StepCount {
  steps: number;
}

/**
 * Wildcard matching that steps back to the last star only, so its time is bounded by the product of the lengths: at a
 * mismatch the last star takes one item more, and no earlier star has to.
 */
export function matchWithStars(
  length: number,
  items: number,
  isStar: (token: number) => boolean,
  matches: (token: number, item: number) => boolean,
  count: StepCount = { steps: 0 },
): boolean {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let item = 0; item < items;) {
    count.steps += 1;
    if (at < length && isStar(at)) {
      star = at;
      taken = item;
      at += 1;
    } else if (at < length && matches(at, item)) {
      at += 1;
      item += 1;
    } else if (star !== -1) {
      taken += 1;
      at = star + 1;
      item = taken;
    } else return false;
  }
  while (at < length && isStar(at)) at += 1;
  return at === length;
}
