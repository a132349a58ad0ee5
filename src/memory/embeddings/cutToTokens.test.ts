import { describe, expect, it } from 'vitest';
import { cutToTokens } from './cutToTokens.ts';

describe('cutToTokens', () => {
  it('leaves a text that fits as it is', () => {
    expect(cutToTokens('x'.repeat(40), 10)).toBe('x'.repeat(40));
  });

  it('cuts at four characters a token, and at one for CJK', () => {
    expect(cutToTokens('x'.repeat(41), 10)).toBe('x'.repeat(40));
    expect(cutToTokens('記'.repeat(11), 10)).toBe('記'.repeat(10));
  });

  it('leaves no half of a character behind', () => {
    expect(cutToTokens('😀😀', 3)).toBe('😀');
    expect(cutToTokens('a\uDE00b', 10)).toBe('a\uFFFDb');
  });
});
