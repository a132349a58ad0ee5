import type { Clock } from '../../host/ports.ts';

/** How often one that reads looks for news and for a free place, in milliseconds; and how often at most for its searches. */
const followMs = 3_000;
const searchMs = 500;

export interface RolesParts {
  readonly clock: Clock;
  /** True where this one may write from now on. Must not reject. */
  readonly takeLock: () => Promise<boolean>;
  /** True where the file holds something else than what was taken over. Must not reject. */
  readonly hasMoved: () => Promise<boolean>;
  /** Takes over what the file holds now. Must not reject. */
  readonly reload: () => Promise<void>;
  /** The writer has gone, and this one takes its place, from the newest file. Must not reject. */
  readonly onWriter: () => Promise<void>;
}

/** Who keeps the index, and how the others follow. */
export interface Roles {
  /** Follows whoever writes, and takes that place once it is free. */
  read(): void;
  /** For a search of one that reads: has a look whether the file is new. */
  follow(): void;
  stop(): Promise<void>;
}

export function createRoles(parts: RolesParts): Roles {
  const { clock } = parts;
  let isReading = false;
  let isStopped = false;
  let lastLook = Number.NEGATIVE_INFINITY;
  let cancelTimer = (): void => undefined;
  let working: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    lastLook = clock.monotonic();
    if (await parts.takeLock()) {
      isReading = false;
      cancelTimer();
      await parts.onWriter();
      return;
    }
    if (isReading && (await parts.hasMoved())) await parts.reload();
  };

  const lookOnce = (): Promise<void> => (working ??= look().finally(() => (working = undefined)));

  const watch = (): void => {
    cancelTimer = clock.after(followMs, () => {
      void lookOnce().then(() => {
        if (isReading) watch();
      });
    });
  };

  return {
    read() {
      // One that steps back may still be at it when the engine closes.
      if (isStopped) return;
      isReading = true;
      watch();
    },
    follow() {
      if (isReading && clock.monotonic() - lastLook >= searchMs) void lookOnce();
    },
    async stop() {
      isStopped = true;
      isReading = false;
      cancelTimer();
      await working;
    },
  };
}
