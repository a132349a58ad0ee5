import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'a hook that names no events is an error that says where they go',
  check({ hook, found }) {
    expect(hook('silent')).toMatchObject({ status: 'error', reason: 'it names no events' });
    expect(found('hook_events_missing')[0]?.hint).toMatch(/metadata\.openclaw\.events/u);
  },
});
