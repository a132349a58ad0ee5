import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'of several own hooks with one name, ~/.pincer/hooks comes before ~/.openclaw/hooks before configured folders',
  async check({ found, emit }) {
    expect(await emit('command:new')).toEqual(['pincer']);
    expect(found('hook_duplicate_name')).toHaveLength(2);
  },
});
