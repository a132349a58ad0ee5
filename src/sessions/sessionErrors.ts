import { PincerError } from '../base/errors.ts';

export function sessionUnknown(id: string): PincerError {
  return new PincerError('session_unknown', `There is no session ${id}.`, {
    hint: 'pincer sessions list shows those of this workspace.',
  });
}

export function sessionUnreadable(file: string, sessionId: string): PincerError {
  return new PincerError('session_unreadable', `The transcript ${file} has no readable first line.`, {
    hint: 'Repair it with Repair Session in the Sessions view, or with pincer sessions repair.',
    sessionId,
  });
}

export function sessionNewer(file: string, version: number): PincerError {
  return new PincerError(
    'session_newer',
    `The transcript ${file} was written by a newer Pincer (format ${version}), so it can only be read.`,
    { hint: 'Update Pincer, or fork the session to go on with what this version understands.' },
  );
}

export function sessionRemoved(id: string): PincerError {
  return new PincerError('session_removed', `The session ${id} was deleted.`, {
    hint: 'Start a new session.',
  });
}

export function notRepaired(id: string, why: 'in order' | 'tenant lost'): PincerError {
  if (why === 'in order')
    return new PincerError('session_in_order', `The session ${id} can be opened: nothing was changed.`);
  return new PincerError(
    'session_tenant_lost',
    `The session ${id} belonged to somebody, and whose it was can't be read.`,
    {
      hint: 'Correct the first line of its transcript by hand, or delete the session.',
    },
  );
}

export function sessionInUse(id: string): PincerError {
  return new PincerError('session_in_use', `Another window or program has the session ${id} open.`, {
    hint: 'Close it there first.',
  });
}

export function sessionTenantFixed(id: string): PincerError {
  return new PincerError('session_tenant_fixed', `The session ${id} already belongs to somebody.`, {
    hint: 'Start a new session.',
  });
}

export function turnUnknown(): PincerError {
  return new PincerError('session_turn_unknown', 'The conversation holds no such turn.', {
    hint: 'Start a new chat; the transcript is left as it is.',
  });
}

export function nameInvalid(): PincerError {
  return new PincerError('session_name_invalid', 'A session needs a name of at least one letter.', {
    hint: 'Give it a few words.',
  });
}
