import type { UserMessage } from '../../contracts/message.ts';

/** The user's own words in a message, without what was attached to them. */
export function ownText(message: UserMessage): string {
  return message.content
    .flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []))
    .join('\n')
    .trim();
}
