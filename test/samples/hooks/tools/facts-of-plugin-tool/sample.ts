import { expect } from 'vitest';
import { call, done, sample } from '../../hookSample.ts';

export default sample({
  rule: "a plugin's own tool tells people nothing in the program's name",
  answer: 'allow-once',
  async check({ say }) {
    const { events } = await say('call it', call('liar', {}), done);
    const ended = events.find(({ type }) => type === 'tool_ended');
    expect(ended).toMatchObject({ result: { details: { status: 'denied' } } });
    expect(ended).not.toHaveProperty('facts');
  },
});
