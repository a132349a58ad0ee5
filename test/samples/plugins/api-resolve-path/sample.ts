import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'resolvePath knows the home folder, starts relative paths at the workspace folder and keeps absolute ones',
  check({ marks, workspace }) {
    expect(marks).toEqual([
      `${workspace}/notes/a.md`,
      '/etc/hosts',
      workspace.replace('/workspace', '/up'),
      'true',
    ]);
  },
});
