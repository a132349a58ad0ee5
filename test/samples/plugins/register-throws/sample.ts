import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a register that throws takes back everything it had registered, and hurts no other plugin',
  check({ plugin, manager }) {
    expect(plugin('bad')).toMatchObject({
      status: 'error',
      failurePhase: 'register',
      error: 'plugin failed during register: no database',
      toolNames: [],
    });
    expect(manager.tools({})).toEqual([]);
    expect(manager.hooks.has('message_received')).toBe(false);
    const { badApi } = globalThis as unknown as { badApi: { registerTool: (tool: object) => void } };
    expect(() => badApi.registerTool({})).toThrow('no longer loaded');
    expect(manager.commands().map(({ name }) => name)).toEqual(['good']);
  },
});
