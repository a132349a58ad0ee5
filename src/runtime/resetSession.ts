import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionLife } from './createSessionLife.ts';
import type { RuntimeInput } from './runtime.ts';

export interface ResetParts {
  readonly life: SessionLife;
  readonly events: InternalEvents;
  readonly input: Pick<RuntimeInput, 'surface'>;
  readonly folders: readonly string[];
}

/**
 * The user starts over: operator hooks first, then plugins. Gives the texts that hooks have for the user. `next` is the session
 * that comes instead, where it is known already.
 */
export async function resetSession(
  { life, events, input, folders }: ResetParts,
  session: Session,
  action: 'new' | 'reset',
  next?: Session,
): Promise<readonly string[]> {
  const [workspaceDir] = folders;
  const context = {
    sessionEntry: { sessionId: session.id },
    previousSessionEntry: { sessionId: session.id },
    commandSource: input.surface,
    senderId: 'user',
    ...(workspaceDir === undefined ? {} : { workspaceDir }),
  };
  const texts = events.has('command', action)
    ? await events.emit('command', action, { sessionKey: session.key, context })
    : [];
  await life.reset(session, action, next);
  return texts;
}
