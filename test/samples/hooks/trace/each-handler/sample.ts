import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: "a run's trace has one line for each handler that was called, with what it did",
  answer: 'allow-once',
  async check({ say, traced }) {
    await say('read', readA, done);
    expect(await traced()).toEqual([
      'watcher message_received nothing',
      'writer before_prompt_build changed',
      'writer before_tool_call changed',
      'guard before_tool_call asked',
      'watcher after_tool_call nothing',
      'writer message_sending cancelled',
    ]);
  },
});
