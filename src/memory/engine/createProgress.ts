import { createThrottle } from '../../host/createThrottle.ts';
import type { Clock } from '../../host/ports.ts';
import type { MemoryProgress } from '../memory.ts';

/** What is being done. Indexing stands before embedding, which goes on behind it. */
export interface ProgressReporter {
  indexing(progress: MemoryProgress | undefined): void;
  embedding(progress: MemoryProgress | undefined): void;
  current(): MemoryProgress | undefined;
  close(): void;
}

/** `tell` is called at most ten times a second, and last with what is then. */
export function createProgress(
  clock: Clock,
  tell: (progress: MemoryProgress | undefined) => void,
): ProgressReporter {
  let indexing: MemoryProgress | undefined;
  let embedding: MemoryProgress | undefined;
  const current = (): MemoryProgress | undefined => indexing ?? embedding;
  const throttle = createThrottle(clock, 100, () => tell(current()));
  return {
    indexing(progress) {
      indexing = progress;
      throttle.request();
    },
    embedding(progress) {
      if (progress === undefined && embedding === undefined) return;
      embedding = progress;
      throttle.request();
    },
    current,
    close: () => throttle.cancel(),
  };
}
