import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a built CommonJS plugin that requires the SDK and exports an object is evaluated once and loads',
  async check({ plugin, runTool, marks }) {
    expect(plugin('built')).toMatchObject({ status: 'loaded', diagnostics: [] });
    expect(marks).toEqual(['evaluated']);
    expect(await runTool('ping')).toBe('pong');
  },
});
