import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that needs a native add-on is an error that says so',
  check({ plugin }) {
    expect(plugin('p').status).toBe('error');
    expect(plugin('p').error).toContain('Plugin p loads the native add-on');
    expect(plugin('p').error).toContain('addon.node');
  },
});
