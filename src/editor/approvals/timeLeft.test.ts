import { expect, it } from 'vitest';
import { timeLeft } from './timeLeft.ts';

it('says minutes and seconds, begun seconds as whole ones, and nothing below zero', () => {
  expect(timeLeft(114_000)).toBe('1:54');
  expect(timeLeft(113_001)).toBe('1:54');
  expect(timeLeft(9_000)).toBe('0:09');
  expect(timeLeft(-5)).toBe('0:00');
});
