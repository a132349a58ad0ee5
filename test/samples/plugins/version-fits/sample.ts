import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin for this or an older OpenClaw runs without a word',
  check({ marks, plugin }) {
    expect(marks).toEqual(['p']);
    expect(plugin('p').diagnostics.filter(({ level }) => level !== 'info')).toEqual([]);
  },
});
