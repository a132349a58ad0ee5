import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a manifest with __proto__ changes no prototype and is told so',
  check({ marks, found }) {
    expect(marks).toEqual(['undefined']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(found('plugin_manifest_odd', 'proto').length).toBeGreaterThan(0);
  },
});
