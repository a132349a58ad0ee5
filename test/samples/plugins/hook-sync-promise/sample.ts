import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a promise from a hook that can not wait is ignored and named',
  check({ manager, found }) {
    const message = {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'read',
      content: [{ type: 'text', text: 'kept' }],
      isError: false,
      timestamp: 0,
    } as const;
    expect(manager.hooks.sync('tool_result_persist', { message }, {}).message).toEqual(message);
    expect(found('hook_returned_promise', 'late')).toHaveLength(1);
  },
});
