import { Worker } from 'node:worker_threads';
import type { Workers, WorkerThread } from '../workers.ts';

/**
 * A small heap is tidied up early: else a thread that reads a lot takes three times the memory it needs, for nothing (measured:
 * 176 MB of heap rather than 60, in the same time). One that needs more than this ends, and the process goes on.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** Threads of this process. One that is idle does not keep the process alive. */
export function createNodeWorkers(): Workers {
  return { start };
}

function start(file: string): WorkerThread {
  // Its output is none of the program's: what it has to say comes as messages.
  const worker = new Worker(file, { stdout: true, stderr: true, env: process.env, resourceLimits });
  worker.unref();
  let isHeld = false;
  let failure: Error | undefined;
  const holdProcess = (held: boolean): void => {
    isHeld = held;
    if (held) worker.ref();
    else worker.unref();
  };
  worker.on('error', (error: unknown) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  return {
    post: (message) => worker.postMessage(message),
    onMessage(listener) {
      worker.on('message', listener);
      // Listening takes hold of the process again.
      holdProcess(isHeld);
    },
    onEnd: (listener) => void worker.once('exit', () => listener(failure)),
    holdProcess,
    async terminate() {
      await worker.terminate();
    },
  };
}
