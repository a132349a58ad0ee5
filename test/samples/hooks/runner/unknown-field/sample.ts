import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a field that a hook does not read is named once, with those that it reads; the others count',
  async check({ say, found }) {
    const { shown } = await say('hi', done);
    await say('again', done);
    expect(shown).toBe('new');
    expect(found('hook_unknown_field', 'writer')).toMatchObject([
      {
        message: '[hooks] message_sending handler from writer returned text; this has no effect',
        hint: 'message_sending reads content, cancel, cancelReason, metadata.',
      },
    ]);
  },
});
