import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin can not take the name by which the host itself asks: approvals given to the host would answer it',
  check({ plugin, manager }) {
    expect(plugin('host')).toMatchObject({ status: 'error', error: 'plugin manifest id "host" is reserved' });
    expect(manager.hooks.has('before_tool_call')).toBe(false);
  },
});
