import { isSaid } from '../../sessions/isSaid.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';

/** What was asked and answered; empty where nothing was. */
export interface Exchange {
  readonly asked: string;
  readonly answered: string;
}

export interface Recap {
  /** Messages of the whole conversation, as a person counts them. */
  readonly count: number;
  /** Those before the last one that fit, oldest first. */
  readonly earlier: readonly Exchange[];
  /** How many exchanges there are before those. */
  readonly leftOut: number;
  readonly last: Exchange | undefined;
}

/** What the earlier exchanges may take together: the panel keeps every answer whole. Characters. */
const maxEarlier = 40_000;
const maxAsked = 2_000;
const maxAnswered = 4_000;

/** What a chat that goes on with a session shows of it. Pure. */
export function planRecap(entries: readonly SessionEntry[]): Recap {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const exchanges: { asked: string; answered: string }[] = [];
  for (const message of messages) {
    if (message.role === 'toolResult') continue;
    const text = textOf(message);
    const last = exchanges.at(-1);
    if (message.role === 'user') exchanges.push({ asked: cut(text, maxAsked), answered: '' });
    else if (last !== undefined && text !== '') last.answered = cut(text, maxAnswered);
  }
  const said = exchanges.filter(({ asked, answered }) => asked !== '' || answered !== '');
  const before = said.slice(0, -1);
  let room = maxEarlier;
  const firstShown =
    before.findLastIndex(({ asked, answered }) => (room -= asked.length + answered.length) < 0) + 1;
  return {
    count: messages.filter(isSaid).length,
    earlier: before.slice(firstShown),
    leftOut: firstShown,
    last: said.at(-1),
  };
}

/** Without what was attached. */
function textOf({ content }: AgentMessage): string {
  return content
    .flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []))
    .join('\n')
    .trim();
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}\n\n…`;
}
