import { expect } from 'vitest';
import { createHeldModel } from '../../../../builders/createHeldModel.ts';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'what arrived of an answer that failed is not shown where a plugin had to see it first',
  async check({ sayTo, stored }) {
    const model = createHeldModel([[{ type: 'text', text: 'half a secret' }, 'fail']]);
    const { shown } = await sayTo('hi', [], { model });
    expect(shown).toBe('');
    expect(await stored()).not.toContain('half a secret');
  },
});
