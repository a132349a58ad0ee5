import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a slot that is set to a plugin which is no memory is a warning that offers those that are',
  config: { slots: { memory: 'plain' } },
  check({ found }) {
    expect(found('plugin_slot_empty')).toMatchObject([
      {
        level: 'warn',
        message: 'memory slot plugin not found or not marked as memory: plain',
        fixes: [{ kind: 'choose-slot', slot: 'memory', pluginId: 'mem' }],
      },
    ]);
  },
});
