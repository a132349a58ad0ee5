import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a TypeScript plugin with files of its own loads, and its tool runs',
  async check({ plugin, manager, runTool }) {
    expect(plugin('greeter')).toMatchObject({ status: 'loaded', toolNames: ['greet'], origin: 'workspace' });
    expect(manager.diagnostics()).toEqual([]);
    expect(await runTool('greet', { name: 'Ada' })).toBe('Hello Ada');
  },
});
