import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a service that fails to stop is reported and keeps no other from stopping',
  async check({ load, marks, log }) {
    await load({ config: { deny: ['worker'] } });
    expect(marks).toEqual(['one stopped']);
    expect(log.lines.map(({ message }) => message)).toContain(
      'service "two" of plugin worker failed to stop: busy',
    );
  },
});
