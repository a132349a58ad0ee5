import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'import() works in CommonJS, for ES modules and the SDK',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('late function default');
  },
});
