import { expect } from 'vitest';
import { openClawVersion } from '../../../../src/plugins/openclaw/openClawVersion.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin for a newer OpenClaw is an error and does not run',
  check({ marks, plugin, found }) {
    expect(marks).toEqual([]);
    expect(plugin('p').error).toBe(
      `plugin requires OpenClaw >=9999.1.1, but this host is ${openClawVersion}; skipping load`,
    );
    expect(found('plugin_version_unsupported', 'p')).toHaveLength(1);
  },
});
