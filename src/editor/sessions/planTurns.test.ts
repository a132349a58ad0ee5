import { expect, it } from 'vitest';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import { planTurns } from './planTurns.ts';
import { sessionTitle } from '../../sessions/sessionTitle.ts';

let count = 0;
const ids = (): { id: string; parentId: null } => ({ id: String(count++), parentId: null });
const turn = (runId: string, state: 'started' | 'completed'): SessionEntry => ({
  type: 'turn',
  ...ids(),
  runId,
  state,
});
const said = (...texts: readonly [text: string, isContext?: boolean][]): SessionEntry => ({
  type: 'message',
  ...ids(),
  message: {
    role: 'user',
    content: texts.map(([text, isContext]) => ({
      type: 'text',
      text,
      ...(isContext === undefined ? {} : { isContext }),
    })),
    timestamp: 0,
  },
});

const entries = [
  turn('r1', 'started'),
  said(['a plugin said this', true], ['When does\nthe tide turn?']),
  said(['and in Brest?']),
  turn('r1', 'completed'),
  turn('r2', 'started'),
  said(['only context', true]),
  turn('r2', 'completed'),
  turn('r3', 'started'),
  said(['Thanks']),
];

it('one can fork before the first words of each turn, the newest first', () => {
  expect(planTurns({ entries: () => entries })).toEqual([
    { runId: 'r3', prompt: 'Thanks', label: 'Thanks', number: 2 },
    { runId: 'r1', prompt: 'When does\nthe tide turn?', label: 'When does the tide turn?', number: 1 },
  ]);
});

it('a session is called by its name, else by the first words of the user', () => {
  expect(sessionTitle({ name: () => undefined, entries: () => entries })).toBe('When does the tide turn?');
  expect(sessionTitle({ name: () => ' My\nboat ', entries: () => entries })).toBe('My boat');
  expect(sessionTitle({ name: () => undefined, entries: () => [] })).toBeUndefined();
});
