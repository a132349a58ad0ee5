import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a factory sees the session, may return several tools or none, and may fail alone',
  check({ manager, found }) {
    const names = (sandboxed: boolean): readonly string[] =>
      manager.tools({ sandboxed }).map(({ name }) => name);
    expect(names(false)).toEqual(['one', 'two', 'four']);
    expect(names(true)).toEqual(['four']);
    expect(manager.tools({}).find(({ name }) => name === 'four')?.optional).toBe(true);
    expect(found('plugin_tool_failed', 'maker')).toMatchObject([
      { message: 'plugin tool failed (maker): no key' },
    ]);
  },
});
