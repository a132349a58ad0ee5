import { expect, it } from 'vitest';
import type { Session } from '../../sessions/session.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import { forkName, forkWithName } from './forkName.ts';

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

it.each([
  ['the next name that is free', ['one'], [['copy', 'Boats (fork 2)']]],
  ['no name where it holds nothing yet', [], []],
])('gives a copy %s', async (_what, messages, expected) => {
  const renamed: unknown[] = [];
  const titles = [
    ['s', 'Boats'],
    ['t', 'Boats (fork)'],
  ];
  const fork = await forkWithName(
    {
      fork: () => Promise.resolve({ id: 'copy', messages: () => messages } as unknown as Session),
      summaries: () => Promise.resolve(titles.map(([id, title]) => ({ id, title }) as SessionSummary)),
      rename: (id, name) => {
        renamed.push([id, name]);
        return Promise.resolve();
      },
    },
    's',
  );
  expect(fork.id).toBe('copy');
  expect(renamed).toEqual(expected);
});
