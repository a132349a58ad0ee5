import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a module that awaits before it exports loads',
  async check({ runTool }) {
    expect(await runTool('ping')).toBe('awaited');
  },
});
