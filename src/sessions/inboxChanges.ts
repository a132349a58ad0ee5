import { PincerError } from '../base/errors.ts';
import type { WaitingMessage } from './inbox.ts';

/** Messages that may wait in one session. */
const maxWaiting = 50;
const maxTextBytes = 32 * 1024;

/** In the order they will be read: what the user says to the running turn comes before what waits for its end. Pure. */
export function inReadingOrder(messages: readonly WaitingMessage[]): readonly WaitingMessage[] {
  return [
    ...messages.filter(({ kind }) => kind === 'steer'),
    ...messages.filter(({ kind }) => kind === 'followUp'),
  ];
}

/** The list with a message changed; one that changes its kind goes to the end. Pure. @throws PincerError as `checkText` */
export function editMessage(
  messages: readonly WaitingMessage[],
  id: string,
  { text, kind }: { readonly text?: string; readonly kind?: WaitingMessage['kind'] },
): readonly WaitingMessage[] {
  const old = messages.find((each) => each.id === id);
  if (old === undefined) return messages;
  // What the user has changed is theirs.
  const { from: _from, ...kept } = old;
  const edited = {
    ...kept,
    ...(text === undefined ? {} : { text: checkText(text) }),
    ...(kind === undefined ? {} : { kind }),
  };
  if (edited.kind === old.kind) return messages.map((each) => (each === old ? edited : each));
  return [...messages.filter((each) => each !== old), edited];
}

/** The list with a message in front of another one, or at the end. Pure. */
export function moveMessage(
  messages: readonly WaitingMessage[],
  id: string,
  before: string | null,
): readonly WaitingMessage[] {
  const moved = messages.find((each) => each.id === id);
  if (moved === undefined || id === before) return messages;
  const rest = messages.filter((each) => each !== moved);
  const at = rest.findIndex((each) => each.id === before);
  return at === -1 ? [...rest, moved] : rest.toSpliced(at, 0, moved);
}

/** The text as it is stored. @throws PincerError `inbox_empty_text`, `inbox_text_too_long` */
export function checkText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw new PincerError('inbox_empty_text', 'The message is empty.', {
      hint: 'Type what you want to say.',
    });
  }
  if (new TextEncoder().encode(trimmed).length > maxTextBytes) {
    throw new PincerError('inbox_text_too_long', 'The message is longer than 32 KB.', {
      hint: 'Put the text into a file and name the file in the message.',
    });
  }
  return trimmed;
}

/** @throws PincerError `inbox_full` */
export function checkRoom(messages: readonly WaitingMessage[]): void {
  if (messages.length < maxWaiting) return;
  throw new PincerError('inbox_full', `${String(maxWaiting)} messages wait already.`, {
    hint: 'Wait until some were read, or remove one.',
  });
}
