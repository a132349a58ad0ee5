import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin that waits for consent can be enabled from its diagnostic',
  consent: false,
  check({ found }) {
    expect(found('plugin_disabled', 'p')[0]).toMatchObject({
      message: 'plugin p does not run: workspace plugin (disabled by default)',
      fixes: [{ kind: 'enable-plugin', pluginId: 'p' }],
    });
  },
});
