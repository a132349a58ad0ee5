import { describe, expect, it } from 'vitest';
import { locateFailure } from './locateFailure.ts';

const copy = '/state/plugin-snapshots/p-x/abc/plugin';
const root = '/w/.pincer/plugins/x';

describe('locateFailure', () => {
  it("names the plugin's own file and line where the message has the place", () => {
    const error = new SyntaxError(`${copy}/part.ts:2:19 Unexpected token`);
    expect(locateFailure(error, copy, root)).toEqual({
      message: `${root}/part.ts:2:19 Unexpected token`,
      source: `${root}/part.ts`,
      line: 2,
      column: 19,
    });
  });

  it('reads the place from the stack where the message has none, past frames of others', () => {
    const error = new Error('top');
    error.stack = `Error: top\n    at run (/program/loader.js:9:1)\n    at ${copy}/index.ts:4:7\n    at ${copy}/b.ts:1:1`;
    expect(locateFailure(error, copy, root)).toEqual({
      message: 'top',
      source: `${root}/index.ts`,
      line: 4,
      column: 7,
    });
  });

  it.each([
    ['a text'],
    [undefined],
    [new Error('elsewhere')],
    [{ stack: 3 }],
    [Object.assign(new Error('odd'), { stack: 3 })],
  ])('gives no place for %j', (thrown) => {
    expect(locateFailure(thrown, copy, root)).not.toHaveProperty('line');
  });

  it('keeps a Windows path whole', () => {
    const error = new Error(`C:\\s\\plugin\\a.ts:3:1 no`);
    expect(locateFailure(error, 'C:\\s\\plugin', 'D:\\p')).toMatchObject({ source: 'D:\\p\\a.ts', line: 3 });
  });
});
