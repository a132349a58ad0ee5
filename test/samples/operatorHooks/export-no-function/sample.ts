import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'an export that is no function is an error that names the functions there are',
  async check({ hook, found, emit }) {
    expect(hook('named')).toMatchObject({ status: 'error', reason: 'its export "text" is no function' });
    expect(found('hook_export_invalid')[0]?.hint).toBe('Set metadata.openclaw.export to one of: onNew.');
    expect(await emit('command:new')).toEqual([]);
  },
});
