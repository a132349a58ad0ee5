import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'hooks.internal.enabled: false switches every hook off',
  config: { enabled: false, entries: { own: { enabled: true } } },
  check({ hooks, events }) {
    expect(hooks.list().map(({ reason }) => reason)).toEqual([
      'hooks are switched off in config',
      'hooks are switched off in config',
    ]);
    expect(events.has('command', 'new')).toBe(false);
  },
});
