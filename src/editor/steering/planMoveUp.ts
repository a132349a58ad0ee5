import type { WaitingMessage } from '../../sessions/createInbox.ts';

/** The id that a message has to stand in front of to move up by one of its kind; undefined where it is the first. Pure. */
export function planMoveUp(messages: readonly WaitingMessage[], id: string): string | undefined {
  const message = messages.find((each) => each.id === id);
  if (message === undefined) return undefined;
  const ofKind = messages.filter(({ kind }) => kind === message.kind);
  return ofKind[ofKind.indexOf(message) - 1]?.id;
}
