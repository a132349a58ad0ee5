import type { AgentMessage, UserMessage } from '../../contracts/message.ts';
import type { SessionEntry } from '../../contracts/session.ts';
import { ownText } from './ownText.ts';

/** True for a message that begins a turn or a queued one: the user's own words, said at no steering point. */
export function isRequest(message: AgentMessage): message is UserMessage {
  return message.role === 'user' && message.via !== 'steer' && ownText(message) !== '';
}

/**
 * What the user wants done now, and what they said to it while it ran: those of these messages that come before the entry
 * `keptId` (before the end where it is missing). Empty where the request itself stays. Pure.
 */
export function findRequest(
  entries: readonly SessionEntry[],
  keptId: string | undefined,
): readonly UserMessage[] {
  const kept = keptId === undefined ? -1 : entries.findLastIndex((entry) => entry.id === keptId);
  const end = kept === -1 ? entries.length : kept;
  const start = entries.findLastIndex((entry) => entry.type === 'message' && isRequest(entry.message));
  if (start === -1 || start >= end) return [];
  return entries
    .slice(start, end)
    .flatMap((entry) =>
      entry.type === 'message' && entry.message.role === 'user' && ownText(entry.message) !== ''
        ? [entry.message]
        : [],
    );
}
