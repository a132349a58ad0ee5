import { expect } from 'vitest';
import { sample } from '../hookSample.ts';

export default sample({
  rule: 'metadata may be YAML, JSON or a text of JSON5, under the old names of upstream too; the folder names a hook that does not',
  async check({ hook, hooks, emit }) {
    expect(await emit('command:new')).toEqual(['block', 'comma', 'text', 'unnamed']);
    expect(hook('comma').events).toEqual(['command:new', 'command:reset']);
    expect(hooks.diagnostics()).toEqual([]);
  },
});
