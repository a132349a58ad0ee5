import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'an id with characters that nobody sees is refused with its line',
  check({ marks, plugin, found }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'manifest' });
    expect(plugin('p').error).toMatch(/^plugin manifest id has white space or hidden characters$/u);
    expect(found('plugin_manifest_invalid', 'p')[0]?.line).toBe(2);
  },
});
