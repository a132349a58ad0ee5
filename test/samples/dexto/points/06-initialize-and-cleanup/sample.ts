import { expect } from 'vitest';
import { sample } from '../pointSample.ts';

const odd = (field: string): string =>
  `export default class { ${field} = 'yes'; beforeResponse() { return { ok: true }; } }`;

export default sample({
  rule: 'initialize gets the settings before the first turn, cleanup comes at the end; what is no function there is refused',
  async check({ say, save, agree, restart, marks }) {
    expect(marks).toEqual(['initialize {"depth":3}']);
    await say('Hello');
    await restart();
    expect(marks).toEqual(['initialize {"depth":3}', 'beforeResponse', 'cleanup']);
    for (const field of ['initialize', 'cleanup']) {
      await save('.pincer/dexto/tidy.js', odd(field));
      await agree();
      await restart();
      await expect(say('Hello')).rejects.toThrow(
        new RegExp(`plugin 'tidy' fails check 5 of 5, .*: its ${field} must be a function`, 'u'),
      );
    }
  },
});
