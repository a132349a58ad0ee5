import { describe, expect, test } from 'vitest';
import { planCmdCall, planProgramCall } from './planProgramCall.ts';

const npm = 'C:\\Program Files\\nodejs\\npm.cmd';
const plan = (path: string, ...args: readonly string[]) =>
  planProgramCall('win32', 'C:\\Windows', path, args);

describe('on Windows', () => {
  test('a real program gets its arguments as they are', () => {
    expect(plan('C:\\git.exe', 'a b', '&calc')).toEqual({ file: 'C:\\git.exe', args: ['a b', '&calc'] });
  });

  test('a batch file is given to cmd.exe by its whole path, with plain arguments', () => {
    expect(plan(npm, 'run', 'test:unit', '--prefix=C:\\x')).toEqual({
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/d', '/s', '/c', '""C:\\Program Files\\nodejs\\npm.cmd" run test:unit --prefix=C:\\x"'],
      isVerbatim: true,
    });
  });

  test.each([
    '&calc',
    '"&calc',
    '%PATH%',
    'a b',
    '',
    '^',
    '!x!',
    '|more',
    '>f',
    'a\nb',
    '(x)',
    'é',
    ';',
    ',',
    '*',
  ])('a batch file is never given %j', (argument) => {
    expect(() => plan(npm, 'test', argument)).toThrow(/can't be given to a \.cmd or \.bat file safely/u);
    expect(() => plan('C:\\x\\RUN.BAT', argument)).toThrow();
  });

  test('a batch file in a folder whose name means something to cmd.exe is refused', () => {
    expect(() => plan('C:\\a&b\\npm.cmd')).toThrow();
    expect(() => plan('C:\\%TEMP%\\npm.cmd')).toThrow();
  });
});

test('elsewhere an extension means nothing', () => {
  expect(planProgramCall('linux', '', '/x/run.cmd', ['&'])).toEqual({ file: '/x/run.cmd', args: ['&'] });
});

test('a line for cmd.exe stays as it is', () => {
  expect(planCmdCall('C:\\Windows', 'dir "a b" & ver').args).toEqual(['/d', '/s', '/c', '"dir "a b" & ver"']);
});
