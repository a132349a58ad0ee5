import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'after dispose nothing listens, and a load changes nothing',
  async check({ hooks, events, load }) {
    hooks.dispose();
    await load();
    expect(events.has('command', 'new')).toBe(false);
    expect(hooks.list()).toEqual([]);
  },
});
