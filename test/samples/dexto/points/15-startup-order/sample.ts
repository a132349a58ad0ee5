import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'all plugins load, in the order of the file, before the first is initialized; then they are initialized by priority, built-in ones among them',
  async check(world) {
    await world.restart();
    expect(world.marks).toEqual(['late loads', 'early loads', 'early begins', 'late begins']);
    const order = world.runtime.plugins
      .plugins()
      .flatMap(({ name, dexto }) => (dexto === undefined ? [] : [name]));
    expect(order).toEqual(['early', 'contentPolicy', 'late']);
  },
});
