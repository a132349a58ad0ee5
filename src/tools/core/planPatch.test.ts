import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import {
  applyPatchText,
  brokenPatches,
  fuzzPatch,
  printPatch,
  textVersions,
} from '../../../test/fuzz/patch.ts';
import { parsePatch } from './parsePatch.ts';
import { planPatch, type PlannedPatch } from './planPatch.ts';

function plan(text: string, ...lines: string[]): PlannedPatch {
  const [patch] = parsePatch(['*** Begin Patch', '*** Update File: a', ...lines, '*** End Patch'].join('\n'));
  return planPatch(text, patch?.kind === 'update' ? patch.chunks : [], 'a.ts');
}

const after = (text: string, ...lines: string[]): string => plan(text, ...lines).text;

function failure(text: string, ...lines: string[]): { code: string; message: string } {
  try {
    plan(text, ...lines);
  } catch (error) {
    return error as { code: string; message: string };
  }
  return expect.unreachable('the patch should not fit');
}

describe('a place', () => {
  test('is the first one below the place before', () => {
    expect(after('a\nx\na\nx\na\n', '-a', '+1', '@@', '-a', '+2')).toBe('1\nx\n2\nx\na\n');
  });

  test('is below its context, which may be nested', () => {
    const file = 'class A {\n  run() {\n    go();\n  }\n}\nclass B {\n  run() {\n    go();\n  }\n}\n';
    expect(after(file, '@@ class B {', '@@   run() {', '-    go();', '+    stop();')).toBe(
      file.replace(/go\(\);(?![\s\S]*go)/u, 'stop();'),
    );
  });

  test('is the last one with "End of File"', () => {
    expect(after('a\nb\na\n', '-a', '+1', '*** End of File')).toBe('a\nb\n1\n');
    expect(failure('a\nb\n', '-a', '+1', '*** End of File').message).toContain(
      'It is at line 1, which is not the end',
    );
  });

  test('with added lines alone is behind its context, else at the end', () => {
    expect(after('a\nb\n', '@@ a', '+1')).toBe('a\n1\nb\n');
    expect(after('a\nb\n', '+1')).toBe('a\nb\n1\n');
    expect(after('', '+1', '+2')).toBe('1\n2\n');
  });

  test('is found past white space at line ends, and past indentation, which added lines get as well', () => {
    expect(plan('a  \nb\n', ' a', '-b', '+c')).toEqual({
      text: 'a  \nc\n',
      tolerances: [{ line: 1, ignored: 'white space at line ends' }],
    });
    expect(
      plan('  if (x) {\n    a();\n  }\n', 'if (x) {'.padStart(9), '-  a();', '+  b();', '+  c();', ' }'),
    ).toEqual({
      text: '  if (x) {\n    b();\n    c();\n  }\n',
      tolerances: [{ line: 1, ignored: 'indentation' }],
    });
    expect(plan('say “hi”\n', '-say "hi"', '+bye').tolerances).toMatchObject([{ line: 1 }]);
  });

  test('is not guessed: past indentation it has to be the only one', () => {
    expect(failure('  a\n    a\n', '-a', '+b')).toMatchObject({
      code: 'patch_not_unique',
      message: expect.stringContaining('lines 1, 2') as string,
    });
  });
});

describe('what is not named stays byte by byte', () => {
  test('mixed line ends, a missing one at the end, a byte order mark', () => {
    expect(after('\uFEFFa\r\nb\nc\r\nd', ' b', '-c', '+C')).toBe('\uFEFFa\r\nb\nC\r\nd');
    expect(after('a\nb', ' b', '+c')).toBe('a\nb\nc');
    expect(after('a\r\nb\r\nc\n', ' a', '+x')).toBe('a\r\nx\r\nb\r\nc\n');
    expect(after('a\nb', '-b')).toBe('a');
  });
});

describe('a place that is not there', () => {
  test('is told with the nearest lines and the line of the patch', () => {
    const file = 'function one() {\n  return 1;\n}\n';
    expect(failure(file, '@@', '-  return 2;', '+  return 3;')).toMatchObject({
      code: 'patch_not_found',
      message:
        'Line 3 of the patch: "  return 2;" can\'t be found in a.ts; nothing was written.\nThe nearest lines are:\n2:   return 1;',
    });
  });

  test('but above the place before is told with the order', () => {
    const { message } = failure('a\nb\n', '-b', '+B', '@@', '-a', '+A');
    expect(message).toContain('below line 2');
    expect(message).toContain('It is at line 1, but the places of a file come in their order from the top');
  });
});

test('a printed patch leads from the first version of a text to the second', () => {
  fc.assert(
    fc.property(textVersions, ({ before, after: wanted }) => {
      expect(applyPatchText(printPatch([{ path: 'a', before, after: wanted }]), before)).toBe(wanted);
    }),
    { numRuns: 2_000 },
  );
});

test('a broken patch is refused with an error of ours, or read', () => {
  fc.assert(
    fc.property(brokenPatches, ({ before, patch }) => {
      try {
        applyPatchText(patch, before);
      } catch (error) {
        expect(error).toBeInstanceOf(PincerError);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('the fuzz run finds nothing with a fixed seed', () => {
  expect(fuzzPatch(1, 500)).toEqual({ runs: 1_500, failures: [] });
});
