import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'one context engine runs, as one memory does',
  async check({ manager, load }) {
    const reasons = () => manager.plugins().map(({ reason }) => reason);
    expect(reasons()).toEqual(['enabled', 'contextEngine slot already filled by "a"']);
    await load({ config: { slots: { contextEngine: 'b' } } });
    expect(reasons()).toEqual(['contextEngine slot set to "b"', 'fills the contextEngine slot']);
  },
});
