import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'what YAML refuses but upstream reads, such as a colon in a description or a comment in JSON, is read with a warning',
  async check({ hook, found, emit }) {
    expect(await emit('command:new')).toEqual(['colon']);
    expect(hook('colon').description).toBe('Says: hello: world');
    expect(found('hook_file_odd')).toMatchObject([{ level: 'warn', line: 3 }]);
  },
});
