import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'fields named __proto__ are ignored with a warning and change nothing',
  async check({ hook, found, emit }) {
    expect(found('hook_file_odd')[0]?.message).toMatch(/field named __proto__/u);
    expect(hook('proto')).toMatchObject({ status: 'disabled', reason: 'needs program nowhere' });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(await emit('command:new')).toEqual([]);
  },
});
