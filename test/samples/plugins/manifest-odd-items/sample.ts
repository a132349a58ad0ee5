import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a wrong item leaves the rest of its list alone',
  check({ plugin, found }) {
    expect(plugin('p').kind).toEqual(['memory']);
    expect(found('plugin_manifest_odd', 'p').map(({ message }) => message.split(' (')[0])).toEqual([
      'plugin manifest: uiHints.b is ignored',
      'plugin manifest: contracts.tools[1] is ignored',
    ]);
    expect(Object.keys(plugin('p').configUiHints ?? {})).toEqual(['a']);
    expect(found('plugin_tools_undeclared', 'p')).toEqual([]);
  },
});
