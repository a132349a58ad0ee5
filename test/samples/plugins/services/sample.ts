import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'services start in order and stop in reverse; one that fails hurts no other',
  async check({ marks, load, log }) {
    await load({ config: { deny: ['worker'] } });
    expect(marks).toEqual(['start one string', 'start three string', 'stop three', 'stop one']);
    expect(log.lines.map(({ message }) => message)).toContain(
      'service "two" of plugin worker failed to start: port in use',
    );
  },
});
