import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest that no parser reads is refused with the line',
  check({ marks, plugin, found }) {
    expect(marks).toEqual([]);
    expect(plugin('p')).toMatchObject({ status: 'error', failurePhase: 'manifest' });
    expect(plugin('p').error).toMatch(/^failed to parse plugin manifest: /u);
    expect(found('plugin_manifest_invalid', 'p')[0]?.line).toBe(3);
  },
});
