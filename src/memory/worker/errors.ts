import { errorMessage, PincerError } from '../../base/errors.ts';

export function memoryDisabled(): PincerError {
  return new PincerError('memory_disabled', 'The memory is switched off.', {
    hint: 'Set memory.enabled to true in your config.',
  });
}

/** What was asked of a thread that has ended. */
export function memoryStopped(cause?: unknown): PincerError {
  const why = cause === undefined ? '' : `: ${errorMessage(cause)}`;
  return new PincerError('memory_stopped', `The memory's thread has ended${why}.`, {
    hint: 'Search once more: that starts it again.',
    ...(cause === undefined ? {} : { cause }),
  });
}

export function memoryKeepsStopping(times: number, cause: unknown): PincerError {
  return new PincerError(
    'memory_stopped',
    `The memory's thread ended ${times} times within five minutes, and is left alone for a while: ${errorMessage(cause)}.`,
    {
      hint: 'Leave large or unusual files out by memory.exclude, or delete the index; then reload the window.',
      cause,
    },
  );
}
