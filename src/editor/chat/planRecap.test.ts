import { expect, it } from 'vitest';
import type { AgentMessage } from '../../contracts/message.ts';
import type { SessionEntry } from '../../contracts/sessionEntry.ts';
import { planRecap } from './planRecap.ts';

const entriesOf = (...messages: readonly AgentMessage[]): readonly SessionEntry[] =>
  messages.map((message, at) => ({ type: 'message', id: String(at), parentId: null, message }));
const user = (text: string): AgentMessage => ({
  role: 'user',
  content: [
    { type: 'text', text },
    { type: 'text', text: 'attached', isContext: true },
  ],
  timestamp: 1,
});
const answer = (text: string, stopReason: 'stop' | 'toolUse' = 'stop'): AgentMessage => ({
  ...{ role: 'assistant', content: [{ type: 'text', text }], provider: 'p', model: 'm', stopReason },
  timestamp: 1,
});
const result: AgentMessage = {
  ...{ role: 'toolResult', toolCallId: 'c', toolName: 'read', isError: false, timestamp: 1 },
  content: [{ type: 'text', text: 'a file' }],
};

it('tells what was asked and answered, without attachments, results and what was said between calls', () => {
  expect(
    planRecap(
      entriesOf(user('one'), answer('I look', 'toolUse'), result, answer('1'), user('two'), answer('2')),
    ),
  ).toEqual({
    count: 4,
    earlier: [{ asked: 'one', answered: '1' }],
    leftOut: 0,
    last: { asked: 'two', answered: '2' },
  });
});

it('is empty where nothing was said', () => {
  expect(planRecap([])).toEqual({ count: 0, earlier: [], leftOut: 0, last: undefined });
});

it('leaves out the oldest of what is too long, and cuts a long answer', () => {
  const long = Array.from({ length: 60 }, (_, at) => [
    user(`${String(at)}?`),
    answer('x'.repeat(5_000)),
  ]).flat();
  const { earlier, leftOut, last } = planRecap(entriesOf(...long));
  expect(earlier.length + leftOut).toBe(59);
  expect(earlier.at(-1)?.asked).toBe('58?');
  expect(JSON.stringify(earlier).length).toBeLessThan(42_000);
  expect(last?.answered).toHaveLength(4_003);
});
