import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a tool factory that returns a promise brings no tool and says so; the rejection reaches nobody',
  check({ manager, found }) {
    expect(manager.tools({}).map(({ name }) => name)).toEqual(['now']);
    expect(found('plugin_tool_failed', 'slow')).toMatchObject([
      { message: 'plugin tool failed (slow): the factory returned a promise' },
    ]);
  },
});
