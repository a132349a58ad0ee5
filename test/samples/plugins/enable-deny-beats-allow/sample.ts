import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that is both allowed and denied does not run',
  config: { allow: ['p'], deny: ['p'], entries: { p: { enabled: true } } },
  check({ marks, plugin }) {
    expect(marks).toEqual([]);
    expect(plugin('p').reason).toBe('blocked by denylist');
  },
});
