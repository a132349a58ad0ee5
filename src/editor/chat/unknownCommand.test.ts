import { expect, it } from 'vitest';
import { unknownCommand } from './unknownCommand.ts';

const known = { own: ['status', 'tool', 'help'], plugins: ['words', 'tides'] };

it('names a command that nobody has, what it may have been meant to be, and what there is by the alphabet', () => {
  expect(unknownCommand('/stauts now', known)).toEqual({
    ...{ name: 'stauts', meant: 'status' },
    ...{ own: ['help', 'status', 'tool'], plugins: ['tides', 'words'] },
  });
  expect(unknownCommand('  /NoSuch', known)).toMatchObject({ name: 'nosuch', meant: undefined });
});

it.each([
  '/help',
  '/words notes.md',
  '/tool read {}',
  '/usr/bin is full',
  '/ is a slash',
  'say /nosuch',
  '//x',
])('leaves %j alone', (prompt) => {
  expect(unknownCommand(prompt, known)).toBeUndefined();
});
