import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'CommonJS that requires the SDK, itself or in a file of its own, is evaluated once',
  async check({ runTool, marks }) {
    expect(await runTool('ping')).toBe('true');
    expect(marks).toEqual(['index', 'own']);
  },
});
