import { expect, it } from 'vitest';
import type { SessionKind } from '../../contracts/sessionEntry.ts';
import type { RunningTurn } from '../../runtime/conversations.ts';
import { chooseTurn } from './chooseTurn.ts';

/** Only what the choice looks at. */
function turnOf(id: string, startedAt: number, kind: SessionKind = 'chat'): RunningTurn {
  return { session: { id, header: { kind } }, startedAt, cancel: () => undefined } as unknown as RunningTurn;
}
const idsOf = (turns: readonly RunningTurn[]): string[] => turns.map(({ session }) => session.id);

it('the only turn of a chat is meant, whatever agents it has started', () => {
  const chat = turnOf('a', 1);
  expect(chooseTurn([chat, turnOf('b', 2, 'subagent')])).toEqual({ kind: 'one', turn: chat });
});

it('of several the user picks: chats first, the newest first', () => {
  const choice = chooseTurn([turnOf('old', 1), turnOf('sub', 9, 'subagent'), turnOf('new', 2)]);
  expect(choice.kind === 'several' && idsOf(choice.turns)).toEqual(['new', 'old', 'sub']);
});

it('a session that is named counts alone, and none where its turn has ended', () => {
  const sub = turnOf('sub', 9, 'subagent');
  expect(chooseTurn([turnOf('a', 1), sub], 'sub')).toEqual({ kind: 'one', turn: sub });
  expect(chooseTurn([turnOf('a', 1)], 'gone')).toEqual({ kind: 'none' });
  expect(chooseTurn([])).toEqual({ kind: 'none' });
});
