import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a service whose start never ends holds the next one back until its time is over or it is stopped',
  async check({ load, marks, found }) {
    expect(marks).toEqual([]);
    expect(found('plugin_service_failed')).toEqual([]);
    await load({ config: { deny: ['a-loop'] } });
    expect(marks).toEqual(['loop stopped', 'other runs']);
  },
});
