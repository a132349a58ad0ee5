import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'always skips every requirement but the platform',
  async check({ hook, emit }) {
    expect(await emit('command:new')).toEqual(['always', 'here']);
    expect(hook('elsewhere').reason).toBe('needs platform darwin (this is linux)');
  },
});
