import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'an event that is named twice counts once, with a warning',
  async check({ found, emit }) {
    expect(found('hook_event_repeated')).toHaveLength(1);
    expect(await emit('command:new')).toEqual(['twice']);
  },
});
