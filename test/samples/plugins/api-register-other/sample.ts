import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a register method that has no use here is listed by its own name and the id it was given',
  async check({ plugin, runTool }) {
    expect(plugin('speaker').registrations).toMatchObject({
      other: ['music generation provider tune'],
      tool: ['say'],
    });
    expect(await runTool('say')).toBe('ok');
  },
});
