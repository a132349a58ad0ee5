import type { Clock } from '../host/ports.ts';
import type { PluginSlot } from './toRecord.ts';

export interface BringUpTask {
  readonly slot: Promise<PluginSlot>;
  /** Stands for the plugin as long as it is not there. */
  readonly meanwhile: PluginSlot;
}

/** Nobody notices a second at the start; a plugin that takes longer waits for something. */
const patienceMs = 1_000;

/**
 * Publishes plugins that come up side by side: all at once where they are quick, else first those that are there, so that
 * one that never ends registering holds back no other. Resolves after the last one was published.
 */
export async function bringUpAll(
  tasks: readonly BringUpTask[],
  clock: Clock,
  publish: (slots: readonly PluginSlot[]) => Promise<void>,
): Promise<void> {
  const done = new Map<BringUpTask, PluginSlot>();
  const all = Promise.all(tasks.map(async (task) => void done.set(task, await task.slot)));
  const isQuick = await settlesWithin(all, patienceMs, clock);
  if (!isQuick) await publish(tasks.map((task) => done.get(task) ?? task.meanwhile));
  await all;
  await publish(tasks.map((task) => done.get(task) ?? task.meanwhile));
}

async function settlesWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => resolve(false));
    work.then(() => resolve(true), reject).finally(stop);
  });
}
