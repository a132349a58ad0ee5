import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

export default sample({
  rule: 'the class is made once and with no arguments; what is no class, or can not be made, is refused by name',
  async check({ marks, save, agree, restart, say }) {
    expect(marks).toEqual(['made with 0 arguments']);
    await save('.pincer/dexto/made.js', 'export default { beforeResponse() {} };');
    await agree();
    await restart();
    await expect(say('Hello')).rejects.toThrow(
      /plugin 'made' fails check 2 of 5, the default export is a class: .* is an object/u,
    );
    await save(
      '.pincer/dexto/made.js',
      "export default class { constructor() { throw new Error('no sea'); } beforeResponse() {} }",
    );
    await agree();
    await restart();
    await expect(say('Hello')).rejects.toThrow(/plugin 'made' fails check 3 of 5, .*: no sea/u);
  },
});
