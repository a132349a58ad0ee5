import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin whose code says kind: memory fills the slot where its manifest is silent, and runs once',
  async check({ manager, found, load, marks }) {
    const states = (): unknown =>
      Object.fromEntries(manager.plugins().map(({ id, status, reason }) => [id, `${status}: ${reason}`]));
    expect(states()).toEqual({
      'mem-code': 'loaded: enabled',
      'mem-late': 'disabled: memory slot already filled by "mem-code"',
      'memory-core': 'disabled: memory slot already filled by "mem-code"',
    });
    expect(manager.plugins().find(({ id }) => id === 'mem-code')?.kind).toEqual(['memory']);
    expect(found('plugin_registration_refused')).toEqual([]);
    expect(marks.toSorted()).toEqual(['mem-code evaluated', 'mem-code registered', 'mem-late evaluated']);
    await load({ config: { slots: { memory: 'mem-late' } } });
    expect(states()).toMatchObject({
      'mem-code': 'disabled: memory slot set to "mem-late"',
      'mem-late': 'loaded: fills the memory slot',
    });
    await load({ config: { slots: { memory: 'none' } } });
    expect(states()).toMatchObject({ 'mem-late': 'disabled: memory slot disabled' });
  },
});
