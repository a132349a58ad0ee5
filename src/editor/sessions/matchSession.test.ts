import { expect, it } from 'vitest';
import { inertLine } from '../../base/text.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import { matchSession, maxTitle, wordsFor } from './matchSession.ts';

function summaryOf(id: string, title: string): SessionSummary {
  return {
    id,
    title,
    key: id,
    kind: 'chat',
    agentId: 'main',
    isNamed: true,
    createdAt: 0,
    updatedAt: 0,
    messageCount: 0,
    isInterrupted: false,
  };
}

const boat = summaryOf('0a1b2c3d-0000', 'Boat');
const tide = summaryOf('0a1b9999-0000', 'Tide tables');
const beef = summaryOf('beef1234-0000', '0a1b');
const all = [boat, tide, beef];

it('an id, its unique beginning or a name finds the session', () => {
  expect(matchSession(all, ' 0A1B2 ')).toEqual({ kind: 'one', id: boat.id });
  expect(matchSession(all, boat.id)).toEqual({ kind: 'one', id: boat.id });
  expect(matchSession(all, `“a “title” of ${tide.id}” ${boat.id}`)).toEqual({ kind: 'one', id: boat.id });
  expect(matchSession(all, '“tide tables”')).toEqual({ kind: 'one', id: tide.id });
});

it('a beginning that fits several ids names them, and an id counts before a name', () => {
  expect(matchSession(all, '0a1b')).toEqual({ kind: 'many', summaries: [boat, tide] });
});

it('less than four letters of an id, or nothing, finds none', () => {
  expect(matchSession(all, 'bee')).toEqual({ kind: 'none' });
  expect(matchSession(all, '  ')).toEqual({ kind: 'none' });
});

it('names a session by its title, and by when it began where others have the same one', () => {
  const at = (minute: number, second: number): number => new Date(2026, 10, 25, 14, minute, second).getTime();
  const sleep = (id: string, createdAt: number): SessionSummary => ({ ...summaryOf(id, 'Sleep'), createdAt });
  const twins = [sleep('s1', at(31, 5)), sleep('s2', at(31, 40)), sleep('s3', at(50, 0))];
  const words = [...twins, tide].map((each) => wordsFor([...twins, tide], each));
  expect(words).toEqual([
    '“Sleep” (2026-11-25 14:31:05)',
    '“Sleep” (2026-11-25 14:31:40)',
    '“Sleep” (2026-11-25 14:50)',
    '“Tide tables”',
  ]);
  expect(words.map((each) => matchSession([...twins, tide], each))).toEqual(
    [...twins, tide].map(({ id }) => ({ kind: 'one', id })),
  );
});

it('what is typed of a long title is cut as the title is', () => {
  const long = 'Write down everything that you know about the anchor, its chain and the winch';
  const cut = summaryOf('c0ffee00-0000', inertLine(long, maxTitle));
  expect(matchSession([cut], long)).toEqual({ kind: 'one', id: cut.id });
});
