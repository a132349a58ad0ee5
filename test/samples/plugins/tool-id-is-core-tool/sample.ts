import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a plugin named like a core tool brings no tools',
  check({ manager, found }) {
    expect(manager.tools({})).toEqual([]);
    expect(found('plugin_tool_conflict', 'read')).toMatchObject([
      { message: 'plugin id conflicts with core tool name (read)' },
    ]);
  },
});
