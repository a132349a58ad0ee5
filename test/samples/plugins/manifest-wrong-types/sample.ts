import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a field of the wrong type counts as absent and is named with its line',
  check({ plugin, found }) {
    expect(plugin('p')).toMatchObject({ status: 'loaded', name: 'p' });
    const named = found('plugin_manifest_odd', 'p').map(({ line, message }) => [
      line,
      message.split(' (')[0],
    ]);
    expect(named).toEqual([
      [3, 'plugin manifest: name is ignored'],
      [5, 'plugin manifest: enabledByDefault is ignored'],
    ]);
  },
});
