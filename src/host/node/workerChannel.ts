import { parentPort } from 'node:worker_threads';
import type { WorkerThread } from '../workers.ts';

/**
 * The inner end of `Workers.start`: messages to and from whoever started this thread. Throws outside of a thread. The thread
 * lives as long as somebody listens.
 */
export function workerChannel(): Pick<WorkerThread, 'post' | 'onMessage'> {
  const port = parentPort;
  if (port === null) throw new Error('This program runs in a thread only.');
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', listener),
  };
}
