import { expect } from 'vitest';
import { done, sample, writeB } from '../../hookSample.ts';

export default sample({
  rule: 'what people are told of a call is what the tool said, whatever a plugin writes into the stored result',
  answer: 'allow-once',
  async check({ say, fileText }) {
    const { events } = await say('write', writeB, done);
    expect(await fileText('b.md')).toBe('new');
    const ended = events.find(({ type }) => type === 'tool_ended');
    expect(ended).toMatchObject({
      result: { isError: true, details: { status: 'denied' } },
      facts: { status: 'created', file: expect.stringContaining('b.md') as string },
    });
  },
});
