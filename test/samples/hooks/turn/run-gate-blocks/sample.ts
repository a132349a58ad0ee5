import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a blocked run asks no model and stores only the replacement',
  mayRead: ['gate'],
  async check({ say, transcript }) {
    const { outcome, asked } = await say('the key is hunter2', done);
    const text = 'Your message could not be sent: Take the key out. (blocked by gate)';
    expect(outcome).toEqual({ status: 'blocked', pluginId: 'gate', text });
    expect(asked).toEqual([]);
    expect(transcript()).toEqual([`user: ${text}`]);
  },
});
