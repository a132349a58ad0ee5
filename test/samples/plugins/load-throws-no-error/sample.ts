import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that throws something that is no error is reported all the same',
  check({ plugin }) {
    expect(plugin('odd').error).toBe('failed to load plugin: {"code":42}');
  },
});
