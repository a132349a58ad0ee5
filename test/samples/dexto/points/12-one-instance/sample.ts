import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'all turns and sessions share the one instance of a plugin, so what it keeps goes on',
  async check({ say, runtime }) {
    expect((await say('Hello')).sent).toContain('Hello 1');
    expect((await say('Hello', undefined, { session: runtime.conversations.create() })).sent).toContain(
      'Hello 2',
    );
    expect((await say('Hello')).sent).toContain('Hello 3');
  },
});
