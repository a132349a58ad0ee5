import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'import() of a file that is not there rejects, and the plugin goes on',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('MODULE_NOT_FOUND');
  },
});
