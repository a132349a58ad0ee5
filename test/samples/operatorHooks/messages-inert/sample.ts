import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'texts for the user keep their lines and lose hidden characters; what is no text or too much is left out and reported',
  async check({ emit, found }) {
    const [text, long] = await emit('command:new');
    expect(text).toBe('one\ntwo');
    expect(long).toHaveLength(500);
    expect(await emit('command:stop')).toHaveLength(20);
    expect(found('hook_event_damaged').map(({ message }) => message)).toEqual([
      'hook "a-odd" left messages that are no texts in event command:new; it is ignored',
      'hook "b-flood" left more than 20 messages in event command:stop; it is ignored',
    ]);
  },
});
