import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyData } from './untrusted.ts';

describe('copyData', () => {
  it('equals any JSON value and shares nothing with it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copied = copyData(value);
        expect(copied).toEqual(value);
        if (typeof value === 'object' && value !== null) expect(copied).not.toBe(value);
      }),
    );
  });

  it('keeps a field named __proto__ a field', () => {
    const hostile = JSON.parse('{"__proto__":{"admin":true}}') as Record<string, unknown>;
    const copied = copyData(hostile);
    expect(copied['admin']).toBeUndefined();
    expect(Object.keys(copied)).toEqual(['__proto__']);
  });

  it('keeps dates, maps and functions, and flattens instances', () => {
    const call = (): void => undefined;
    class Point {
      x = 1;
    }
    const copied = copyData({ at: new Date(5), map: new Map([['a', 1]]), call, point: new Point() });
    expect(copied).toEqual({ at: new Date(5), map: new Map([['a', 1]]), call, point: { x: 1 } });
    expect(copied.point).not.toBeInstanceOf(Point);
  });

  it('shares nothing with a list that slices itself, and shows what JSON of it will hold', () => {
    const held: unknown[] = ['held'];
    const list = Object.assign([{ toJSON: () => 'other', text: 'own' }], { slice: () => held });
    const copied = copyData({ list });
    expect(copied).toEqual({ list: [{ text: 'own' }] });
    expect(JSON.stringify(copied)).toBe('{"list":[{"text":"own"}]}');
  });

  it('refuses a cycle instead of running forever', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => copyData(cycle)).toThrow('nested deeper than 100 levels');
  });
});
