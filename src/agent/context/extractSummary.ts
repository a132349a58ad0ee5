import { inertLine } from '../../base/text.ts';
import type { SessionEntry } from '../../contracts/session.ts';
import { ownText } from './ownText.ts';
import { shorten } from './shorten.ts';

const maxGoals = 30;
const maxGoalLength = 240;
const maxState = 1_200;

/**
 * A summary without any model, for those who have none: what the user wrote, each message as one line, and the last answer. It
 * takes nothing that files or tools said. `keptId` is the entry of the first message that stays; null where none does. Pure.
 */
export function extractSummary(
  entries: readonly SessionEntry[],
  keptId: string | null,
  redact: (text: string) => string,
): string {
  const kept = entries.findIndex((entry) => entry.id === keptId);
  const messages = (kept === -1 ? entries : entries.slice(0, kept)).flatMap((entry) =>
    entry.type === 'message' ? [entry.message] : [],
  );
  const wishes = messages.flatMap((message) =>
    message.role === 'user' && ownText(message) !== '' ? [ownText(message)] : [],
  );
  const answer = messages
    .findLast(
      (message) => message.role === 'assistant' && message.content.some((part) => part.type === 'text'),
    )
    ?.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n');
  const left = wishes.length - maxGoals;
  return [
    '## What the user wrote',
    ...(left > 0 ? [`- (${String(left)} older messages are left out)`] : []),
    ...wishes.slice(-maxGoals).map((text) => `- ${inertLine(redact(text), maxGoalLength)}`),
    ...(answer === undefined ? [] : ['', '## The last answer', shorten(redact(answer), maxState)]),
  ].join('\n');
}
