import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an allowlist keeps out what it does not name, and the reason says so',
  config: { allow: ['p'] },
  check({ marks, found }) {
    expect(marks).toEqual(['p']);
    expect(found('plugin_disabled', 'q')[0]).toMatchObject({
      level: 'info',
      message: 'plugin q does not run: not in allowlist',
      hint: 'Add it to plugins.allow to let it run.',
    });
  },
});
