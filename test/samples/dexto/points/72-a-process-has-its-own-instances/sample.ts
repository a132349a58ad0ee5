import { expect } from 'vitest';
import { openTestRuntime } from '../../../../builders/openTestRuntime.ts';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'each process makes plugins of its own; what they share lies in the storage',
  async check({ say, root }) {
    const done = [{ text: 'Done.' }];
    expect((await say('go', done)).shown).toBe('1 here, 1 in all');
    await using second = await openTestRuntime({ root });
    expect((await second.say('go', done)).shown).toBe('1 here, 2 in all');
    expect((await second.say('go', done)).shown).toBe('2 here, 3 in all');
    expect((await say('go', done)).shown).toBe('2 here, 4 in all');
  },
});
