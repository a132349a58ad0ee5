import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readFromChatPage, type FromChatPage } from './chatViewMessages.ts';

const messages: readonly FromChatPage[] = [
  { type: 'ready' },
  { type: 'send', text: 'hi', attached: ['file:///a.md'], as: 'followUp' },
  { type: 'send', text: 'hi', attached: [], as: 'steer', before: 'i' },
  { type: 'edit', id: 'i' },
  { type: 'retry', id: 'i' },
  { type: 'answer', id: 'q', answer: 'deny', why: 'no', isByKey: false },
  { type: 'acceptHunk', id: 'q', file: 0, hunk: 2, isAccepted: false },
  { type: 'call', call: { sessionId: 's', runId: 'r', toolCallId: 't' } },
  { type: 'link', id: 'i', href: 'src/app.ts#L3' },
  { type: 'review', id: 'q' },
  { type: 'readAloud', id: 'i' },
  { type: 'played', clip: 1, state: 'ended' },
  { type: 'offer', query: '/he' },
  { type: 'attach', uris: ['file:///a.md'] },
  { type: 'useModel', id: 'p/m' },
  { type: 'upload', name: 'a.md', base64: 'YQ==' },
];

it.each(messages)('reads $type as the page sends it', (message) => {
  expect(readFromChatPage(message)).toEqual(message);
});

it('takes no answer that a question does not have, no number that is none, and nothing without end', () => {
  expect(readFromChatPage({ type: 'answer', id: 'q', answer: 'allow', why: '' })).toBeUndefined();
  expect(readFromChatPage({ type: 'acceptHunk', id: 'q', file: -1, hunk: 0 })).toBeUndefined();
  expect(readFromChatPage({ type: 'played', clip: 1, state: 'loud' })).toBeUndefined();
  expect(readFromChatPage({ type: 'send', text: 'x'.repeat(200_001), attached: [] })).toBeUndefined();
  expect(readFromChatPage({ type: 'upload', name: 'a', base64: 'x'.repeat(2_000_000) })).toBeUndefined();
  expect(readFromChatPage({ type: 'attach', uris: Array(51).fill('file:///a') })).toBeUndefined();
});

it('never throws, whatever comes', () => {
  fc.assert(fc.property(fc.anything(), (value) => void readFromChatPage(value)));
});
