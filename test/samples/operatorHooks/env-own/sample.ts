import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: "a hook finds the env of its entry in event.context.env; other hooks and the process don't",
  config: { entries: { 'a-first': { env: { TOKEN: 'one' } }, 'c-third': { env: { TOKEN: 'three' } } } },
  async check({ emit }) {
    const context = {};
    expect(await emit('command:new', { context })).toEqual([
      'one undefined',
      'undefined undefined',
      'three undefined',
    ]);
    expect(context).toEqual({});
  },
});
