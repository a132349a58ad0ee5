import { expect, it } from 'vitest';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import { matchSession } from './matchSession.ts';

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
