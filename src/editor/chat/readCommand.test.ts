import { expect, it } from 'vitest';
import { readCommand } from './readCommand.ts';

const isTyped = (name: string): boolean => name === 'reset' || name === 'continue';

it('the panel tells its own commands; typed ones begin the message', () => {
  expect(readCommand({ command: 'model', prompt: 'x' }, isTyped)).toEqual({ command: 'model', prompt: 'x' });
  expect(readCommand({ prompt: ' /reset' }, isTyped)).toEqual({ command: 'reset', prompt: '' });
  expect(readCommand({ prompt: '/continue “a\nb” id' }, isTyped)).toEqual({
    command: 'continue',
    prompt: '“a\nb” id',
  });
  expect(readCommand({ prompt: '/Reset' }, isTyped)).toEqual({ command: 'reset', prompt: '' });
});

it('what only looks like a command stays what the user wrote', () => {
  for (const prompt of ['/resetting', '/words notes.md', 'please /reset', '/reset!', ''])
    expect(readCommand({ prompt }, isTyped)).toEqual({ command: undefined, prompt });
});
