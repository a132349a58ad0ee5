import { expect, it } from 'vitest';
import type { AgentMessage } from '../../contracts/message.ts';
import { applyReplayPolicy } from './applyReplayPolicy.ts';

const asked = (text: string): AgentMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp: 0,
});

const called = (id: string): readonly AgentMessage[] => [
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm' },
      { type: 'toolCall', id, name: 'look', arguments: {} },
    ],
    provider: 'p',
    model: 'm',
    stopReason: 'toolUse',
    timestamp: 0,
  },
  {
    role: 'toolResult',
    toolCallId: id,
    toolName: 'look',
    content: [{ type: 'text', text: 'seen' }],
    isError: false,
    timestamp: 0,
  },
];

const history = [asked('a'), ...called('call_1'), asked('b'), ...called('call-1')];

const thoughts = (messages: readonly AgentMessage[]): readonly boolean[] =>
  messages.flatMap(({ role, content }) =>
    role === 'assistant' ? [content.some(({ type }) => type === 'thinking')] : [],
  );

const ids = (messages: readonly AgentMessage[]): readonly string[] =>
  messages.flatMap((message) => {
    if (message.role === 'toolResult') return [message.toolCallId];
    return message.content.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));
  });

it('leaves a history as it is where there is no policy', () => {
  expect(applyReplayPolicy(history, undefined)).toBe(history);
  expect(applyReplayPolicy(history, {})).toEqual(history);
});

it('drops all thoughts, or those before the last question', () => {
  expect(thoughts(history)).toEqual([true, true]);
  expect(thoughts(applyReplayPolicy(history, { dropThinkingBlocks: true }))).toEqual([false, false]);
  expect(thoughts(applyReplayPolicy(history, { dropReasoningFromHistory: true }))).toEqual([false, true]);
});

it('writes ids of calls in letters and digits, alike in call and result, and no two alike', () => {
  const strict = applyReplayPolicy(history, { sanitizeToolCallIds: true, toolCallIdMode: 'strict' });
  expect(ids(strict)).toEqual(['call1', 'call1', 'call11', 'call11']);
  const [one, same, two] = ids(
    applyReplayPolicy(history, { sanitizeToolCallIds: true, toolCallIdMode: 'strict9' }),
  );
  expect(one).toMatch(/^[a-z0-9]{9}$/u);
  expect(same).toBe(one);
  expect(two).not.toBe(one);
});
