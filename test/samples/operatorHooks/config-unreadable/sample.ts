import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: "no hook runs while the user's config can not be read: who knows what it forbids",
  config: { unreadable: true },
  check({ hook, events }) {
    expect(hook('own').reason).toBe('your config can not be read');
    expect(events.has('command', 'new')).toBe(false);
  },
});
