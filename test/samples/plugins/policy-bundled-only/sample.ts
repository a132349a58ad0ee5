import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'only a bundled plugin can register a trusted tool policy',
  check({ manager, found }) {
    expect(manager.hooks.has('before_tool_call', 'policies')).toBe(false);
    expect(found('plugin_registration_refused', 'guest')).toMatchObject([
      { message: 'only bundled plugins can register trusted tool policies' },
    ]);
  },
});
