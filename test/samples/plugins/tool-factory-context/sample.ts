import { testCall, testRun } from '../../../builders/callContexts.ts';
import { expect } from 'vitest';
import { sample } from '../pluginSample.ts';

export default sample({
  rule: 'a tool factory is asked for each session and told of it; what it does to the object reaches no other',
  async check({ manager, marks }) {
    manager.tools({ sessionKey: 'a' });
    const context = { sessionKey: 'b' };
    const [who] = manager.tools(context);
    const call = await who?.prepare(testCall(), {});
    const result = await call?.run(testRun());
    expect(result?.content).toEqual([{ type: 'text', text: 'b' }]);
    expect(marks).toEqual(['a', 'b']);
    expect(context.sessionKey).toBe('b');
  },
});
