import { describe, expect, it } from 'vitest';
import { stem } from './stem.ts';

describe('stem', () => {
  it.each([
    ['configured configures configuring configuration', 'configur'],
    ['plugin plugins', 'plugin'],
    ['approve approves approved approving approval', 'approv'],
    ['policy policies', 'polici'],
    ['hopping hopped hops', 'hop'],
    ['generalization generalizations generally', 'gener'],
  ])('gives %s one stem', (words, expected) => {
    expect([...new Set(words.split(' ').map(stem))]).toEqual([expected]);
  });

  // Pairs that Porter's paper gives, one for each of its steps.
  it.each([
    ['caresses', 'caress'],
    ['agreed', 'agre'],
    ['conflated', 'conflat'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['vietnamization', 'vietnam'],
    ['hopefulness', 'hope'],
    ['adoption', 'adopt'],
    ['cease', 'ceas'],
    ['controlling', 'control'],
  ])('stems %s to %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  it.each(['is', 'sql', 'größe', 'v24', 'пример'])('leaves %s as it is', (word) => {
    expect(stem(word)).toBe(word);
  });
});
