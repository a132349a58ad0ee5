import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest that is a number is refused',
  check({ marks, plugin, found }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'manifest' });
    expect(plugin('p').error).toMatch(/^plugin manifest must be an object$/u);
    expect(found('plugin_manifest_invalid', 'p')[0]?.line).toBe(1);
  },
});
