import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a guard whose matcher is no list of exact names judges every call, and the user is told',
  async check({ say, found, marks }) {
    await say('read', readA, done);
    expect([...marks].sort()).toEqual(['empty', 'star', 'word']);
    for (const id of ['star', 'empty', 'word'])
      expect(found('plugin_hook_option_invalid', id)).toMatchObject([
        {
          level: 'warn',
          message:
            'matcher of typed hook "before_tool_call" is no list of exact names; the handler is called for all',
        },
      ]);
  },
});
