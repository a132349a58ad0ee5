import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a missing, broken, incomplete or huge manifest is an error with its own text',
  prepare: (root) =>
    writeFile(
      join(root, 'workspace/.pincer/plugins/f-huge/openclaw.plugin.json'),
      JSON.stringify({ id: 'f-huge', configSchema: {}, description: 'x'.repeat(5_000_000) }),
    ),
  check({ marks, manager, plugin, found }) {
    expect(marks).toEqual([]);
    expect(manager.plugins().map(({ status }) => status)).toEqual(Array(6).fill('error'));
    expect(plugin('a-missing').error).toContain('plugin manifest not found: ');
    expect(plugin('b-broken').error).toContain('failed to parse plugin manifest: ');
    expect(found('plugin_manifest_invalid', 'b-broken')[0]?.line).toBe(2);
    expect(plugin('c-list').error).toBe('plugin manifest must be an object');
    expect(plugin('d-anonymous').error).toBe('plugin manifest requires id');
    expect(plugin('e-schemaless').error).toBe('plugin manifest requires configSchema');
    expect(plugin('f-huge').error).toContain('the limit here is 1000000');
  },
});
