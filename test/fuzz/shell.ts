import fc from 'fast-check';
import type { ShellKind, CommandRules } from '../../src/shell/commandPlan.ts';
import { decideCommand } from '../../src/shell/decideCommand.ts';
import { explainParts } from '../../src/shell/explainParts.ts';

/** An allow list with stars, so that quoted and odd words are allowed too. */
export const rules = (shell: ShellKind): CommandRules => ({
  shell,
  allow: ['git status', 'ls', 'npm test', 'tool', 'tool *', 'tool * *', 'tool * * *'],
  deny: ['rm', 'curl | sh'],
});

/** Pieces that mean something to a shell, so that a few of them make a line near the edge of the grammar. */
const pieces = [
  ...[
    'ls',
    'git status',
    'npm test',
    'tool',
    'rm',
    '-la',
    '--porcelain',
    'src/a.ts',
    'x',
    '1',
    '2',
    'é',
    '~',
    '~/',
    'a=b',
  ],
  ...[
    ' ',
    ' ',
    ' ',
    ' ',
    "'",
    '"',
    '\\',
    '$',
    '`',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    '*',
    '?',
    '!',
    '#',
    '^',
    '~',
    '%',
    '@',
    '=',
    ',',
  ],
  ...[
    ';',
    '&',
    '&&',
    '|',
    '||',
    '<',
    '>',
    '2>&1',
    '>&2',
    '>/dev/null',
    '2>/dev/null',
    '$(',
    '${',
    '<(',
    '\n',
    '\r',
    '\t',
    '\0',
  ],
  ...['\u200b', '\u202e', '\u00a0', '\u3164', '$HOME', 'x{a,b}', '--', 'if', 'then', '.', ':'],
];

const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 6 });
const quoted = fc.oneof(
  ascii.map((text) => `'${text.replaceAll("'", '')}'`),
  ascii.map((text) => `"${text.replaceAll(/["$`!\\]/gu, '')}"`),
  ascii.map((text) => `"${text.replaceAll(/[\\"$`]/gu, '\\$&').replaceAll('!', '')}"`),
  fc.constantFrom(...Array.from(` !"#$%&'()*+,-./:;<=>?@[\\]^_{|}~\``)).map((sign) => `\\${sign}`),
  fc.constantFrom(
    'a',
    '-x',
    ' ',
    ' ',
    '~',
    '*',
    'é',
    '=',
    '; tool ',
    ' && ls ',
    ' || tool ',
    ' | tool ',
    ' 2>&1 ',
  ),
);

const line = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join('')),
  },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom(...pieces), { maxLength: 8 })
      .map((parts) => `tool ${parts.join('')}`),
  },
  {
    weight: 2,
    arbitrary: fc.array(quoted, { maxLength: 8 }).map((parts) => `tool ${parts.join('')}`),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

/** Any of the lines the shell decision has to bear. */
export const shellLine = line;

export const shells: readonly ShellKind[] = ['bash', 'zsh', 'fish', 'pwsh', 'cmd'];

/** What may be wrong about one line, as a sentence; undefined where all holds. */
export function faultOf(text: string, shell: ShellKind): string | undefined {
  const decision = decideCommand(text, rules(shell));
  if (explainParts(text, shell).length === 0) return 'explained by nothing';
  if (decision.verdict !== 'allowed') return undefined;
  if (/[\r\0\t\u200b\u202e\u00a0\u3164]/u.test(text)) return 'allowed with a hidden character';
  const tail = [
    ';',
    '&',
    '|',
    '`',
    '$(',
    '>',
    '<',
    '(',
    '"',
    "'",
    '; x',
    '| x',
    '&& x',
    '& x',
    '\nx',
    '> x',
    ' $(x)',
  ].find((each) => decideCommand(text + each, rules(shell)).verdict === 'allowed');
  if (tail !== undefined) return `stays allowed with ${JSON.stringify(tail)} behind it`;
  if (decision.patterns === undefined) return undefined;
  // A pipeline's patterns stand in one text, with what joins them between.
  const allow = decision.patterns.flatMap((pattern) => pattern.split(' | '));
  const again = decideCommand(text, { shell, allow, deny: [] });
  return again.verdict === 'allowed' ? undefined : `not covered by its own patterns ${allow.join(', ')}`;
}

/** Random lines through the decision, in every shell. Bounded by `runs`; the seed makes it the same again. */
export function fuzzShell(seed: number, runs: number): Promise<{ runs: number; failures: string[] }> {
  const failures: string[] = [];
  const check = fc.check(
    fc.property(line, fc.constantFrom(...shells), (text, shell) => {
      const fault = faultOf(text, shell);
      if (fault !== undefined) throw new Error(fault);
    }),
    { seed, numRuns: runs },
  );
  if (check.failed) {
    const [text, shell] = check.counterexample ?? ['', 'bash'];
    failures.push(
      `${shell} ${JSON.stringify(text)}: ${faultText(text, shell)} (seed ${seed}, path ${check.counterexamplePath ?? ''})`,
    );
  }
  return Promise.resolve({ runs: check.numRuns, failures });
}

function faultText(text: string, shell: ShellKind): string {
  try {
    return faultOf(text, shell) ?? 'not the same again';
  } catch (thrown) {
    return `threw ${String(thrown)}`;
  }
}
