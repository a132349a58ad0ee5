import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openClawVersion } from '../../../../src/plugins/openclaw/openClawVersion.ts';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin for this or an older OpenClaw runs without a word',
  async prepare(root) {
    const openclaw = {
      install: { minHostVersion: `>=${openClawVersion}` },
      compat: { pluginApi: `>=${openClawVersion}` },
    };
    await writeFile(join(root, 'home/plugins/same/package.json'), JSON.stringify({ openclaw }));
  },
  check({ marks, plugin }) {
    expect(marks.toSorted()).toEqual(['p', 'same']);
    for (const id of marks)
      expect(plugin(id).diagnostics.filter(({ level }) => level !== 'info')).toEqual([]);
  },
});
