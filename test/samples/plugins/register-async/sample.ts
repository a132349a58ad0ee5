import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an async register is awaited, with a warning',
  check({ plugin, found }) {
    expect(plugin('slow').toolNames).toEqual(['ping']);
    expect(found('plugin_register_async', 'slow')).toMatchObject([{ level: 'warn' }]);
  },
});
