import type { Clock } from '../host/ports.ts';
import { settlesWithin } from '../host/settlesWithin.ts';
import type { PluginSlot } from './toRecord.ts';

export interface BringUpTask {
  /** Never rejects. */
  readonly slot: Promise<PluginSlot>;
  /** Stands for the plugin as long as it is not there. */
  readonly meanwhile: PluginSlot;
  /** Gets what is there only after nobody waits for it any more. */
  readonly discard: (late: PluginSlot) => void;
}

interface BringUpParts {
  readonly clock: Clock;
  readonly publish: (slots: readonly PluginSlot[]) => Promise<void>;
  /** Everything ends: nothing more is published. */
  readonly closing: AbortSignal;
  /** Something newer is to be brought up: what is quick is still published, what waits for something is given up. */
  readonly superseded: AbortSignal;
}

/** Nobody notices a second at the start; a plugin that takes longer waits for something. */
const timeoutMs = 1_000;

/**
 * Publishes plugins that come up side by side: all at once where they are quick, else first those that are there and again
 * whenever more are, so that one that never ends registering holds back no other. Resolves after the last one was
 * published, or when a signal ends the wait.
 */
export async function bringUpAll(
  tasks: readonly BringUpTask[],
  { clock, publish, closing, superseded }: BringUpParts,
): Promise<void> {
  const done = new Map<BringUpTask, PluginSlot>();
  let published: ReadonlySet<BringUpTask> = new Set();
  const publishDone = async (): Promise<void> => {
    published = new Set(done.keys());
    await publish(tasks.map((task) => done.get(task) ?? task.meanwhile));
  };
  const arrive = async (task: BringUpTask): Promise<void> => {
    done.set(task, await task.slot);
    waiting.delete(task);
  };
  const waiting = new Map<BringUpTask, Promise<void>>();
  for (const task of tasks) waiting.set(task, arrive(task));

  const finished = new AbortController();
  const all = Promise.all(waiting.values());
  await Promise.race([settlesWithin(all, timeoutMs, clock), aborted(closing, finished.signal)]);
  if (!closing.aborted) await publishDone();
  const isOver = (): boolean => closing.aborted || superseded.aborted;
  const over = Promise.race([aborted(closing, finished.signal), aborted(superseded, finished.signal)]);
  while (published.size < tasks.length && !isOver()) {
    if (done.size === published.size) await Promise.race([...waiting.values(), over]);
    if (!isOver()) await publishDone();
  }
  finished.abort();
  for (const task of tasks) if (!published.has(task)) void task.slot.then(task.discard);
}

/** Lets go of a signal that outlives the load once `until` aborts. */
async function aborted(signal: AbortSignal, until: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true, signal: until }),
  );
}
