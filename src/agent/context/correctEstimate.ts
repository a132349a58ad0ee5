/** A request that a server has counted, beside what we had estimated for it. */
export interface CountedRequest {
  readonly counted: number;
  readonly estimated: number;
}

/** A count below this part of the estimate is not of the whole request. */
const leastCounted = 0.5;

/**
 * False where a server can't have counted all of a request: some local servers leave out what they had cached, or cut the
 * request in silence. Pure.
 */
export function isWholeCount(counted: number, estimated: number): boolean {
  return counted >= estimated * leastCounted;
}

/**
 * The estimate of a request, corrected by what a server counted for the last one: its count and the estimate of what was
 * added since; where the request became shorter, its count in proportion. Pure.
 */
export function correctEstimate(estimated: number, last: CountedRequest | undefined): number {
  if (last === undefined || !isWholeCount(last.counted, last.estimated)) return estimated;
  if (estimated >= last.estimated) return last.counted + estimated - last.estimated;
  return Math.round((last.counted * estimated) / last.estimated);
}
