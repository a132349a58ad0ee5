import { describe, expect, it } from 'vitest';
import { errorMessage, PincerError } from './errors.ts';

describe('PincerError', () => {
  it('is recognised across bundles, each of which has its own copy of the class', () => {
    const copy = Object.assign(new Error('gone'), {
      name: 'PincerError',
      code: 'io_failed',
      hint: 'Try again.',
    });
    expect(copy instanceof PincerError).toBe(true);
    expect(new PincerError('a', 'b') instanceof PincerError).toBe(true);
    expect(new Error('plain') instanceof PincerError).toBe(false);
    expect({ name: 'PincerError' } instanceof PincerError).toBe(false);
  });
});

describe('errorMessage', () => {
  it.each([
    [new Error('why'), 'why'],
    [new TypeError(''), 'TypeError'],
    ['text', 'text'],
    [{ a: 1 }, '{"a":1}'],
    [undefined, 'undefined'],
    [() => 1, '() => 1'],
  ])('gives the text of %s', (thrown, text) => {
    expect(errorMessage(thrown)).toBe(text);
  });

  it('survives what can not be turned into text', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(errorMessage(circle)).toBe('[object Object]');
  });
});
