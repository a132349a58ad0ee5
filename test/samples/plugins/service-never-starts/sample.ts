import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a service whose start never ends holds back nobody, and is stopped like any other',
  speed: 10,
  async check({ load, marks, found }) {
    expect(marks).toEqual(['other runs']);
    expect(found('plugin_service_failed')).toEqual([]);
    await load({ config: { deny: ['a-loop'] } });
    expect(marks).toEqual(['other runs', 'loop stopped']);
  },
});
