import { expect, it } from 'vitest';
import { forkName } from './forkName.ts';

it('gives each copy a name of its own, also a copy of a copy', () => {
  expect(forkName('Boats', ['Boats'])).toBe('Boats (fork)');
  expect(forkName('Boats', ['Boats', 'Boats (fork)'])).toBe('Boats (fork 2)');
  expect(forkName('Boats (fork 2)', ['Boats (fork)', 'Boats (fork 2)'])).toBe('Boats (fork 3)');
});

it('keeps a long first message on one line', () => {
  const name = forkName(`one\n${'word '.repeat(50)}`, []);
  expect(name).not.toContain('\n');
  expect(name.length).toBeLessThan(70);
});
