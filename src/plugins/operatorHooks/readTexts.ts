// Threat: what handlers push is shown to the user. It may hold no control or hidden characters, and not fill the screen.
import { inertLine } from '../../base/text.ts';

const maxTexts = 20;
const maxLines = 40;
const maxLineLength = 500;

export interface ReadTexts {
  readonly texts: readonly string[];
  /** What was left out, for a report. */
  readonly problem?: string;
}

/** The texts of a list that a handler has filled; `before` where it is no list. Lines are kept, hidden characters are not. */
export function readTexts(messages: unknown, before: readonly string[]): ReadTexts {
  if (!Array.isArray(messages)) return { texts: before, problem: 'messages that are no list' };
  const list = messages.slice(0, maxTexts) as unknown[];
  const strings = list.filter((each) => typeof each === 'string');
  const texts = strings.map(inertText).filter((text) => text !== '');
  if (messages.length > maxTexts) return { texts, problem: `more than ${maxTexts} messages` };
  return strings.length === list.length ? { texts } : { texts, problem: 'messages that are no texts' };
}

function inertText(text: string): string {
  const lines = text.slice(0, maxLines * maxLineLength).split(/\r\n|\r|\n/u);
  const kept = lines.slice(0, maxLines).map((line) => inertLine(line, maxLineLength));
  return [...kept, ...(lines.length > maxLines ? ['…'] : [])].join('\n').trim();
}
