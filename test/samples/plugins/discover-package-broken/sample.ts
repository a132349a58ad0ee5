import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a package.json that is no JSON is named, and the plugin is still found',
  check({ plugin, found }) {
    expect(plugin('p').source).toMatch(/index\.ts$/u);
    expect(found('plugin_package_odd', 'p')[0]?.message).toBe(
      'package.json is not a JSON object and is ignored',
    );
  },
});
