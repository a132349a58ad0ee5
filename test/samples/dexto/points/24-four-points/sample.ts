import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'there are four extension points, called in their order around what they are named after; no other method is called',
  async check({ say, marks }) {
    await say('Hello', [
      { toolCalls: [{ name: 'read', arguments: { path: 'notes.md' } }] },
      { text: 'At six.' },
    ]);
    expect(marks).toEqual(['beforeLLMRequest', 'beforeToolCall', 'afterToolResult', 'beforeResponse']);
  },
});
