import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'none switches a slot off, however it is written',
  config: { slots: { memory: ' None ' } },
  check({ plugin }) {
    expect(plugin('mem').reason).toBe('memory slot disabled');
  },
});
