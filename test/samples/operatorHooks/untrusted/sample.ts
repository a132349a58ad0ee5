import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'in a window that is not trusted no hook is loaded and nothing is asked; trust lost unloads',
  trusted: false,
  async check({ hooks, events, marks, load }) {
    expect(hooks.list().map(({ reason, status }) => [reason, status])).toEqual([
      ['workspace is not trusted', 'disabled'],
      ['workspace is not trusted', 'disabled'],
    ]);
    expect(hooks.list()[1]?.needsConsent).toBeUndefined();
    expect(marks).toEqual([]);
    await load({ trusted: true });
    expect(events.has('command', 'new')).toBe(true);
    await load({ trusted: false });
    expect(events.has('command', 'new')).toBe(false);
  },
});
