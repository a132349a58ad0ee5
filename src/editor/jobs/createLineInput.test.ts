import { expect, test } from 'vitest';
import { createLineInput } from './createLineInput.ts';

test('a line is sent once it is whole', () => {
  const type = createLineInput();
  expect(type('he')).toEqual({ echo: 'he', lines: [], interrupts: false, ends: false });
  expect(type('llo\r')).toMatchObject({ echo: 'llo\r\n', lines: ['hello'] });
  expect(type('\r')).toMatchObject({ lines: [''] });
});

test('what was typed wrong is taken back, but no more than that', () => {
  const type = createLineInput();
  expect(type('é👩x\u007F\u007F\u007F\u007F')).toMatchObject({ echo: 'é👩x\b \b\b \b\b \b' });
  expect(type('ok\r')).toMatchObject({ lines: ['ok'] });
});

test('several lines may be pasted', () => {
  expect(createLineInput()('one\r\ntwo\nthree')).toMatchObject({
    lines: ['one', 'two'],
    echo: 'one\r\ntwo\r\nthree',
  });
});

test('arrows and answers of the terminal are no text', () => {
  expect(createLineInput()('\u001B[A\u001BOP\u001B[1;1Ra\u001B\r')).toMatchObject({ lines: ['a'] });
});

test('Ctrl+C interrupts and drops the line, Ctrl+D ends the input on an empty line only', () => {
  const type = createLineInput();
  expect(type('rm -rf\u0003')).toMatchObject({ interrupts: true, lines: [] });
  expect(type('a\u0004')).toMatchObject({ ends: false });
  expect(type('\r\u0004')).toMatchObject({ lines: ['a'], ends: true });
});
