import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin for another plugin API does not run',
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p').error).toMatch(
      /^plugin requires plugin API >=9999\.1, but this host is .*; skipping load$/u,
    );
  },
});
