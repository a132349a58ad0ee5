import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, fuzzShell, shellLine, shells } from '../../test/fuzz/shell.ts';
import { decideCommand } from './decideCommand.ts';
import { commandRules } from './defaultCommandRules.ts';
import { explainParts } from './explainParts.ts';

describe('any line, in any shell', () => {
  it('is decided without a throw, never allowed with a hidden character or with an operator behind it', () => {
    fc.assert(
      fc.property(shellLine, fc.constantFrom(...shells), (line, shell) => {
        expect(faultOf(line, shell)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('is never allowed with the shipped rules unless it starts with one of their words', () => {
    fc.assert(
      fc.property(shellLine, (line) => {
        const { verdict } = decideCommand(line, commandRules('bash', { allow: [], deny: [] }));
        expect(
          verdict !== 'allowed' || /^\s*(?:ls|pwd|git|node|npm|python3|uname)(?![\w.-])/u.test(line),
        ).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  // Reading them in quadratic time would take longer than a test may.
  it.each([
    ' ',
    'a ',
    'rm -r ',
    "'",
    '"',
    '\\',
    '$(',
    '`',
    ';',
    ';rm ',
    '|',
    '((',
    '{',
    'sudo ',
    'sudo rm ',
    "\\'",
    ',',
    '\n',
    '*',
    'ls;',
  ])('of 100,000 characters is decided in linear time: %j', (piece) => {
    const line = piece.repeat(100_000 / piece.length);
    for (const shell of shells) {
      const rules = commandRules(shell, { allow: ['ls **'], deny: ["x 'y"] });
      expect(decideCommand(line, rules).verdict).not.toBe('allowed');
      expect(explainParts(line, shell)).toHaveLength(1);
    }
  });
});

it('a fuzz run says how many lines it tried', async () => {
  expect(await fuzzShell(1, 500)).toEqual({ runs: 500, failures: [] });
});
