import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'an agent file with the hooks of a later version runs as it is: in the order of the file, each of them blocking',
  async check({ runtime, say }) {
    const rows = runtime.plugins
      .plugins()
      .flatMap(({ name, dexto }) =>
        dexto === undefined ? [] : [[name, dexto.isBuiltIn, dexto.blocking, dexto.priority]],
      );
    expect(rows).toEqual([
      ['contentPolicy', true, true, 0],
      ['shout', false, true, 1],
      ['responseSanitizer', true, true, 2],
    ]);
    const turn = await say('hello', [{ text: 'I am me@example.com.' }]);
    expect(turn.sent).toContain('HELLO!');
    expect(turn.shown).toBe('I am [EMAIL].');
    expect((await say('x'.repeat(41), [{ text: 'never asked' }])).outcome).toMatchObject({
      status: 'blocked',
      pluginId: 'contentPolicy',
    });
  },
});
