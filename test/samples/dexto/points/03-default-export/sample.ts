import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'a plugin is the default export of its module, however often compilers wrapped it; a module with none is refused',
  async check({ say, save, agree, restart }) {
    expect((await say('Hello')).sent).toContain('Hello wrapped');
    await save('.pincer/dexto/wrapped.js', 'exports.first = 1; exports.second = 2;');
    await agree();
    await restart();
    await expect(say('Hello')).rejects.toThrow(
      /plugin 'wrapped' fails check 1 of 5, a default export: it has no default export .*wrapped\.js/u,
    );
  },
});
