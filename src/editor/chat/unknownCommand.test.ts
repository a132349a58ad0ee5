import { expect, it } from 'vitest';
import { unknownCommand } from './unknownCommand.ts';

const known = ['help', 'status', 'tool', 'words'];

it('names a command that nobody has, and what there is, the most similar first', () => {
  expect(unknownCommand('/stauts now', known)).toEqual({
    name: 'stauts',
    known: ['status', 'tool', 'words', 'help'],
  });
  expect(unknownCommand('  /NoSuch', known)?.name).toBe('nosuch');
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
