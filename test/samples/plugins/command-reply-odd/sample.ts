import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a command may answer with a text, an object with one, or nothing',
  async check({ manager }) {
    const replies = await Promise.all(manager.commands().map((each) => each.run('', { channel: 'cli' })));
    expect(replies.map(({ text }) => text)).toEqual([
      'plain',
      'wrapped',
      '/nothing gave no output.',
      '/number gave no output.',
    ]);
  },
});
