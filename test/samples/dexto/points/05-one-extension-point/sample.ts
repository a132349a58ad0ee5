import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a plugin has at least one extension point, on its instance: functions in fields count; one with none is refused',
  async check({ say, save, agree, restart }) {
    expect((await say('Hello')).sent).toContain('Hello arrow');
    await save('.pincer/dexto/arrow.js', 'export default class { beforeEverything() {} initialize() {} }');
    await agree();
    await restart();
    await expect(say('Hello')).rejects.toThrow(
      /plugin 'arrow' fails check 4 of 5, at least one extension point/u,
    );
  },
});
