// Threat: another question, or something else, stood in this one's place when the hand moved, and the click that was meant for it allows this one.

/** How long a question must have stood there before a click on a yes counts. */
const clickGuardMs = 500;

/** How much of that time is left, by one monotonic clock; 0 where a yes counts. Milliseconds. Pure. */
export function clickGuardLeft(shownAt: number, now: number): number {
  return Math.max(0, clickGuardMs - (now - shownAt));
}
