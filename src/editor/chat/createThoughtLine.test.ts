import { expect, it } from 'vitest';
import { createThoughtLine } from './createThoughtLine.ts';

it('tells each thought once, by its first line', () => {
  const thought = createThoughtLine();
  expect([thought.push('\n**Checking'), thought.push(' the tide**'), thought.push('\nFirst')]).toEqual([
    undefined,
    undefined,
    'Checking the tide',
  ]);
  expect(thought.push('\nand second')).toBeUndefined();
  expect(thought.end()).toBeUndefined();
  expect(thought.push('Next')).toBeUndefined();
  expect(thought.end()).toBe('Next');
});

it('a long line is told before it ends, cut; a thought without words is not told', () => {
  const thought = createThoughtLine();
  expect(thought.push('x'.repeat(200))).toBe(`${'x'.repeat(119)}…`);
  thought.end();
  expect(thought.push(' \n ')).toBeUndefined();
  expect(thought.end()).toBeUndefined();
});
