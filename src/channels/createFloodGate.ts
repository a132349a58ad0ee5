// Threat: one sender, or many names of one, keep the agent and the disk busy. So each sender and each account has a number of messages that
// it may bring in a minute; what is beyond is dropped before anything is written.
import type { Clock } from '../host/ports.ts';

export interface FloodGate {
  /** `first over`: from now on the sender's messages are dropped for a while. */
  let(channel: string, accountId: string, senderId: string): 'in' | 'first over' | 'over';
}

const windowMs = 60_000;
const mostOfSender = 20;
const mostOfAccount = 120;
const maxKnown = 2_000;

export function createFloodGate(clock: Pick<Clock, 'monotonic'>): FloodGate {
  const counters = new Map<string, { since: number; count: number }>();
  const add = (key: string, most: number): 'in' | 'first over' | 'over' => {
    const now = clock.monotonic();
    const known = counters.get(key);
    const counter = known === undefined || now - known.since >= windowMs ? { since: now, count: 0 } : known;
    counter.count += 1;
    counters.delete(key);
    counters.set(key, counter);
    const [oldest] = counters.keys();
    if (counters.size > maxKnown && oldest !== undefined) counters.delete(oldest);
    if (counter.count <= most) return 'in';
    return counter.count === most + 1 ? 'first over' : 'over';
  };
  return {
    let(channel, accountId, senderId) {
      const own = add(JSON.stringify([channel, accountId, senderId]), mostOfSender);
      return own === 'in' ? add(JSON.stringify([channel, accountId]), mostOfAccount) : own;
    },
  };
}
