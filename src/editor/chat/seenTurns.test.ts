import { beforeEach, expect, it } from 'vitest';
import { createSeenTurns, panelIdOf, type SeenTurns, type ShownTurn } from './seenTurns.ts';

let seen: SeenTurns;
beforeEach(() => {
  seen = createSeenTurns();
});

const turn = (runId: string, sessionId = 's'): ShownTurn => ({ sessionId, runId });
/** One request of a chat: what stood there, what is said now, the turn that it begins. Gives the turns that are gone. */
function say(
  chatId: string,
  before: readonly (readonly [string, ShownTurn | undefined])[],
  words: string,
  begun?: ShownTurn,
): readonly string[] {
  const requests = before.map(([request]) => request);
  const turns = before.map(([, each]) => each);
  const { gone } = seen.look({ chatId, panelId: undefined, requests, turns });
  if (begun !== undefined) seen.ran({ chatId, requests: [...requests, words] }, begun);
  return gone.map(({ runId, sessionId }) => `${runId} in ${sessionId}`);
}

const one = ['one', turn('r1')] as const;
const two = ['two', turn('r2')] as const;

it('a chat that goes on has lost nothing', () => {
  expect(say('a', [], 'one', turn('r1'))).toEqual([]);
  expect(say('a', [one], 'two', turn('r2'))).toEqual([]);
  expect(say('a', [one, two], 'three', turn('r3'))).toEqual([]);
  // An answer that says nothing of itself, since it was cut off.
  expect(say('a', [one, two, ['three', undefined]], 'four')).toEqual([]);
});

it('what stood there before and is gone was taken out, however often the same is said again', () => {
  say('a', [], 'one', turn('r1'));
  say('a', [one], 'two', turn('r2'));
  expect(say('a', [one], 'two', turn('r3', 'fork'))).toEqual(['r2 in s']);
  expect(say('a', [one], 'two', turn('r4', 'fork 2'))).toEqual(['r2 in s', 'r3 in fork']);
  const again = ['two', turn('r4', 'fork 2')] as const;
  expect(say('a', [one, again], 'three')).toEqual(['r2 in s', 'r3 in fork']);
});

it('an edited message takes out all that came after it', () => {
  say('a', [], 'one', turn('r1'));
  say('a', [one], 'two', turn('r2'));
  say('a', [one, two], 'three', turn('r3'));
  expect(say('a', [one], 'other', turn('r4', 'fork'))).toEqual(['r2 in s', 'r3 in s']);
});

it('what an earlier process answered counts once this one has seen it, and not before', () => {
  expect(say('a', [one], 'three')).toEqual([]);
  expect(say('b', [one, two], 'three', turn('r3'))).toEqual([]);
  expect(say('b', [one], 'other')).toEqual(['r2 in s', 'r3 in s']);
});

it('another chat of the same session with the same words has lost nothing', () => {
  say('a', [], '/resume s', undefined);
  say('a', [['/resume s', undefined]], 'x', turn('r1'));
  expect(say('b', [['/resume s', undefined]], 'y', turn('r2'))).toEqual([]);
});

it('what a request brought along that named a session was not taken out, for as long as the request stands there', () => {
  const again = ['two', turn('r3', 'fork')] as const;
  const resumed = ['/resume s', undefined] as const;
  const resume = (...before: readonly (readonly [string, ShownTurn | undefined])[]): void =>
    seen.named({ chatId: 'a', requests: [...before.map(([request]) => request), '/resume s'] });
  say('a', [], 'one', turn('r1'));
  say('a', [one], 'two', turn('r2'));
  expect(say('a', [one], 'two', turn('r3', 'fork'))).toEqual(['r2 in s']);
  expect(say('a', [one, again], '/resume s')).toEqual(['r2 in s']);
  resume(one, again);
  expect(say('a', [one, again, resumed], 'three', turn('r4'))).toEqual([]);
  // What was said after it is taken out as ever.
  expect(say('a', [one, again, resumed], 'other', turn('r5', 'fork 2'))).toEqual(['r4 in s']);
  expect(say('a', [one, again], 'other')).toEqual(['r2 in s', 'r4 in s', 'r5 in fork 2']);
  // In the place of what was taken out.
  say('a', [one], '/resume s');
  resume(one);
  expect(say('a', [one, resumed], 'three')).toEqual([]);
});

it('a first message that is said again in a chat of the panel takes everything out; in another one it begins anew', () => {
  const first = seen.look({ chatId: undefined, panelId: 'p', requests: [], turns: [] });
  expect(first.gone).toEqual([]);
  seen.ran({ chatId: first.chatId, requests: ['one'] }, turn('r1'));
  const again = seen.look({ chatId: undefined, panelId: 'p', requests: [], turns: [] });
  expect(again).toEqual({ chatId: first.chatId, gone: [turn('r1')] });
  for (const panelId of ['q', undefined]) {
    const other = seen.look({ chatId: undefined, panelId, requests: [], turns: [] });
    expect(other.gone).toEqual([]);
    expect(other.chatId).not.toBe(first.chatId);
  }
});

it("reads the panel's id from the token of a request where it is there, in the shapes that VS Code has had", () => {
  const sessionResource = { $mid: 1, scheme: 'vscode-chat-session', authority: 'local', path: '/abc' };
  expect(panelIdOf({ sessionResource })).toBe('vscode-chat-session:/abc');
  expect(panelIdOf({ sessionId: 'abc' })).toBe('abc');
  expect([undefined, null, 'abc', {}, { sessionResource: 'abc', sessionId: 1 }].map(panelIdOf)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});
