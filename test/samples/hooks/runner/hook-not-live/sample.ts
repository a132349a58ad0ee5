import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'hooks whose surface is not there yet are named with the reason, and never fire',
  async check({ say, marks, found }) {
    await say('hi', done);
    expect(marks).toEqual([]);
    expect(found('plugin_hook_never_fires', 'early').map(({ message }) => message)).toEqual([
      'typed hook "inbound_claim" never fires here: no message channels exist yet',
      'typed hook "before_dispatch" never fires here: no message channels exist yet',
    ]);
  },
});
