import { describe, expect, it } from 'vitest';
import { nearestFirst } from './nearestFirst.ts';

describe('nearestFirst', () => {
  it.each([
    ['reed', ['write', 'read', 'ls'], 'read'],
    ['READ', ['write', 'read'], 'read'],
    ['read_file', ['write', 'read', 'grep'], 'read'],
    ['', ['b', 'a'], 'b'],
  ])('puts the name most like %s first', (wanted, known, first) => {
    expect(nearestFirst(wanted, known)[0]).toBe(first);
  });

  it('keeps every name, and equal ones in their order', () => {
    expect(nearestFirst('x', ['aaa', 'bbb', 'ccc'])).toEqual(['aaa', 'bbb', 'ccc']);
  });
});
