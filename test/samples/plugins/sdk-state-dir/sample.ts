import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'the state and temporary folders of the SDK are there, outside the workspace',
  async check({ runTool }) {
    expect(JSON.parse(await runTool('ping'))).toEqual([
      [true, false],
      [true, false],
    ]);
  },
});
