import { expect, it } from 'vitest';
import { answer, image, result, user } from '../../test/builders/modelMessages.ts';
import type { AgentMessage, UserMessage } from '../contracts/message.ts';
import { joinRepeated } from './turnMessages.ts';

const call = answer({ type: 'toolCall', id: 'c1', name: 'look', arguments: {} });
const seen = result('c1', [{ type: 'text', text: 'a boat' }]);
const said = (text: string, stopReason: 'stop' | 'error' | 'aborted' = 'stop'): AgentMessage => ({
  ...answer({ type: 'text', text }),
  stopReason,
});
const withParts = (text: string, ...parts: UserMessage['content']): AgentMessage => ({
  role: 'user',
  content: [...parts, { type: 'text', text }],
  timestamp: 1,
});
const note = { type: 'text', text: 'what a plugin added', isContext: true } as const;

it('words that nobody answered are read once, as they were said last', () => {
  const again = withParts('one', note);
  expect(joinRepeated([user('one'), again])).toEqual([again]);
  expect(joinRepeated([user('one'), user('one'), user('one'), said('two'), user('three')])).toEqual([
    user('one'),
    said('two'),
    user('three'),
  ]);
});

it('what a turn did before it failed stays, and the answer that broke off goes', () => {
  expect(joinRepeated([user('one'), call, seen, user('one')])).toEqual([user('one'), call, seen]);
  expect(joinRepeated([user('one'), call, seen, said('The bo', 'error'), user('one')])).toEqual([
    user('one'),
    call,
    seen,
  ]);
});

it('leaves alone what was answered, other words, and what was stopped and is not asked again', () => {
  for (const messages of [
    [user('one'), said('two'), user('one')],
    [user('one'), user('two')],
    [user('one'), said('The bo', 'aborted'), user('and now?')],
    [user('one'), call, seen],
  ])
    expect(joinRepeated(messages)).toEqual(messages);
});

it('loses nothing that was attached, and nothing that was said in between', () => {
  const during = (text: string, via: 'steer' | 'followUp'): AgentMessage => ({
    role: 'user',
    content: [{ type: 'text', text }],
    via,
    timestamp: 1,
  });
  for (const messages of [
    [withParts('one', image), user('one')],
    [user('one'), call, seen, during('rather two', 'steer'), user('one')],
    [user('one'), during('one', 'followUp')],
  ])
    expect(joinRepeated(messages)).toEqual(messages);
  expect(joinRepeated([withParts('one', image), withParts('one', image)])).toHaveLength(1);
});

it('a wish that is said again after a call was denied is read after the no', () => {
  const denied: AgentMessage = {
    role: 'toolResult',
    ...{ toolCallId: 'c1', toolName: 'look', content: [{ type: 'text', text: 'Denied by user.' }] },
    ...{ details: { status: 'denied' }, isError: true, timestamp: 0 },
  };
  const messages = [user('one'), call, denied, said('The bo', 'aborted'), user('one')];
  expect(joinRepeated(messages)).toEqual(messages);
});
