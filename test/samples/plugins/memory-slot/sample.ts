import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'one memory plugin runs: the chosen one, else the first; none switches all off',
  async check({ manager, load }) {
    const states = (): unknown => manager.plugins().map(({ status, reason }) => `${status}: ${reason}`);
    expect(states()).toEqual(['loaded: enabled', 'disabled: memory slot already filled by "mem-a"']);
    await load({ config: { slots: { memory: 'mem-b' } } });
    expect(states()).toEqual(['disabled: memory slot set to "mem-b"', 'loaded: fills the memory slot']);
    await load({ config: { slots: { memory: 'none' } } });
    expect(states()).toEqual(Array(2).fill('disabled: memory slot disabled'));
  },
});
