import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a bundled plugin that is off by default is no problem that anybody has to read',
  check({ plugin, manager }) {
    expect(plugin('p')).toMatchObject({ status: 'disabled', reason: 'bundled (disabled by default)' });
    expect(manager.diagnostics()).toEqual([]);
  },
});
