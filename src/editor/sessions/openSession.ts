import * as vscode from 'vscode';
import { PincerError } from '../../base/errors.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';

/** @throws PincerError `session_unknown` */
export async function openSession(
  { conversations }: Pick<Runtime, 'conversations'>,
  id: string,
): Promise<Session> {
  const session = await conversations.sessions.open(id);
  if (session !== undefined) return session;
  throw unknownSession();
}

export function unknownSession(): PincerError {
  return new PincerError('session_unknown', vscode.l10n.t('There is no such session any more.'), {
    hint: vscode.l10n.t('Choose another one in the Sessions view.'),
  });
}
