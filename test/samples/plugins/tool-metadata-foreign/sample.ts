import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'metadata of a tool that the plugin does not have is a warning, as far as its tools are named',
  check({ found }) {
    const unused = [
      { level: 'warn', message: 'tool metadata has no effect, the plugin has no such tool: exec' },
    ];
    expect(found('plugin_registration_unused', 'plain')).toMatchObject(unused);
    expect(found('plugin_registration_unused', 'declared')).toMatchObject(unused);
    expect(found('plugin_registration_unused', 'open')).toEqual([]);
  },
});
