import { errorMessage, PincerError } from '../base/errors.ts';

export function checkpointFailed(cause: unknown): PincerError {
  return new PincerError(
    'checkpoint_failed',
    `The current content could not be saved first, so nothing was changed: ${errorMessage(cause)}`,
    { hint: 'Ask the user to look at the disk that holds the state of Pincer: it may be full.', cause },
  );
}

export function checkpointUnknown(id: string): PincerError {
  return new PincerError('checkpoint_unknown', `There is no checkpoint ${id} any more.`, {
    hint: 'Older ones are dropped when there are too many; choose another one.',
  });
}

export function checkpointStale(label: string): PincerError {
  return new PincerError('checkpoint_stale', `${label} changed in the meantime; nothing was restored.`, {
    hint: 'Restore again to see what would happen now.',
  });
}

export function contentLost(label: string): PincerError {
  return new PincerError('checkpoint_lost', `What ${label} held is no longer stored; nothing was restored.`);
}
