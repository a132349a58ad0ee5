import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an option of api.on that has no effect is reported; those that have one are not',
  async check({ say, found, marks }) {
    await say('hello', done);
    expect(marks).toEqual(['heard']);
    expect(found('plugin_hook_option_unused').map(({ message }) => message)).toEqual([
      'option "requiresToolAuthority" of typed hook "before_prompt_build" has no effect here: the handler is called as if it were not there',
      'option "matcher" of typed hook "before_prompt_build" has no effect here: the handler is called as if it were not there',
    ]);
  },
});
