import type { PendingChange } from './checkpoints.ts';

/** Changes that are under way: a cancel lets go of their call, and an ending process would leave them half made. */
interface OpenChanges {
  /** The change counts from now on, until it has ended or could not begin. */
  follow(begin: () => Promise<PendingChange>): Promise<PendingChange>;
  /** Resolves when those that are under way have ended. */
  settled(): Promise<void>;
}

export function createOpenChanges(): OpenChanges {
  const open = new Set<Promise<void>>();
  return {
    async follow(begin) {
      let resolveEnded: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (resolveEnded = resolve));
      open.add(ended);
      const end = (): void => {
        open.delete(ended);
        resolveEnded();
      };
      const ending = (work: () => Promise<void>): Promise<void> => work().finally(end);
      try {
        const pending = await begin();
        return { done: () => ending(() => pending.done()), failed: () => ending(() => pending.failed()) };
      } catch (error) {
        end();
        throw error;
      }
    },
    async settled() {
      await Promise.all(open);
    },
  };
}
