import { describe, expect, it } from 'vitest';
import { findChanges } from './findChanges.ts';

describe('findChanges', () => {
  it('names each field that is other, new or gone, nested ones by their path', () => {
    const before = { a: 1, list: [{ text: 'x' }, { text: 'y' }], gone: true, same: { deep: [1] } };
    const after = { a: 2, list: [{ text: 'x' }, { text: 'z' }], fresh: null, same: { deep: [1] } };
    expect(findChanges(before, after, false)).toEqual([
      { path: 'a', before: '1', after: '2' },
      { path: 'list[1].text', before: 'y', after: 'z' },
      { path: 'gone', before: 'true' },
      { path: 'fresh', after: 'null' },
    ]);
  });

  it('is not led astray by a field named __proto__ or by a cycle', () => {
    const hostile = JSON.parse('{"__proto__":{"admin":true}}') as object;
    expect(findChanges({}, hostile, false)).toEqual([{ path: '__proto__', after: '{"admin":true}' }]);
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(findChanges({ self: 1 }, cycle, false)).toEqual([
      { path: 'self', before: '1', after: '[object Object]' },
    ]);
  });

  it('stops at 20 changes and at 1 000 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${String(at)}`, at]));
    expect(findChanges({}, many, false)).toHaveLength(20);
    const [change] = findChanges({ text: '' }, { text: 'x'.repeat(5_000) }, false);
    expect(change?.after).toHaveLength(1_000);
  });

  it('gives sizes where values are hidden', () => {
    expect(findChanges({ a: 'abc', b: [1] }, { a: 'x', b: 7 }, true)).toEqual([
      { path: 'a', before: '3 characters', after: '1 characters', isHidden: true },
      { path: 'b', before: '1 entries', after: 'number', isHidden: true },
    ]);
  });
});
