import { describe, expect, it } from 'vitest';
import type { ShellKind } from './commandPlan.ts';
import { decideCommand, type CommandDecision } from './decideCommand.ts';

const three = ['git status', 'ls', 'npm test'];

function decide(
  line: string,
  { shell = 'bash', allow = three, deny = [] }: { shell?: ShellKind; allow?: string[]; deny?: string[] } = {},
): CommandDecision {
  return decideCommand(line, { shell, allow, deny });
}

const verdict = (...args: Parameters<typeof decide>): string => decide(...args).verdict;
const argvs = (line: string): unknown =>
  decide(line).plan?.steps.map((step) => step.pipeline.map((command) => command.argv));

describe('lines that run without a question', () => {
  it.each([
    ' ls ',
    'ls\n',
    'ls; git status',
    'git status && npm test || ls',
    'ls | ls',
    'ls 2>/dev/null',
    'ls > /dev/null 2>&1',
    'ls 1>&2',
    'ls 2>&1 | ls',
    'ls \'a b\' "c d" e\\ f',
    "ls '$(rm x)' '`x`'",
    'ls "a && b"',
    'ls \\; rm',
    'ls \\$HOME',
    'ls ~',
    'ls a?b [ab].ts',
    'ls naïve 文件',
    'ls HEAD~1 a^b',
    'git status -s',
    'git status --short -- src',
    'git status -uno --ignored',
    'npm test --silent',
    'ls --color=never -- -x',
    'ls ""',
  ])('bash: %j', (line) => {
    expect(verdict(line)).toBe('allowed');
  });

  it.each<[ShellKind, string]>([
    ['zsh', "ls -la 'a b' && git status 2>&1 | ls"],
    ['fish', 'ls "a b"; git status'],
    ['pwsh', 'git status'],
    ['cmd', 'git status'],
    ['cmd', 'ls src\\x'],
  ])('%s: %j', (shell, line) => {
    expect(verdict(line, { shell })).toBe('allowed');
  });
});

describe('the plan', () => {
  it('holds what the shell would hand over', () => {
    expect(argvs(`ls 'a b'"c" d\\ e ''`)).toEqual([[['ls', 'a bc', 'd e', '']]]);
    expect(argvs(String.raw`ls "\$x \" \\ y" '\n'`)).toEqual([
      [['ls', String.raw`$x " \ y`, String.raw`\n`]],
    ]);
  });

  it('says when each step runs and how it is piped', () => {
    expect(decide('ls && git status || ls | npm test; ls').plan).toEqual({
      steps: [
        { when: 'always', pipeline: [{ argv: ['ls'] }] },
        { when: 'success', pipeline: [{ argv: ['git', 'status'] }] },
        { when: 'failure', pipeline: [{ argv: ['ls'] }, { argv: ['npm', 'test'] }] },
        { when: 'always', pipeline: [{ argv: ['ls'] }] },
      ],
    });
  });

  it.each([
    ['ls 2>&1', { stderr: 'stdout' }],
    ['ls >&2', { stdout: 'stderr' }],
    ['ls >/dev/null 2>&1', { stdout: 'null', stderr: 'null' }],
    ['ls 2>&1 >/dev/null', { stdout: 'null', stderr: 'stdout' }],
    ['ls 2>&1 >&2', { stderr: 'stdout' }],
    ['ls 1>&2 2>&1', { stdout: 'stderr' }],
    ['ls 1>&1', {}],
  ])('names the place each stream had before: %s', (line, streams) => {
    expect(decide(line).plan?.steps[0]?.pipeline).toEqual([{ argv: ['ls'], ...streams }]);
  });

  it('is there for a question too, and missing where a shell is needed', () => {
    expect(decide('mkdir x').plan).toBeDefined();
    for (const line of ['ls *', 'ls ~/x', 'ls $(x)', 'cd x']) expect(decide(line).plan).toBeUndefined();
    expect(decide('git status', { shell: 'pwsh' }).plan).toBeUndefined();
    expect(decide('git status', { shell: 'cmd' }).plan).toBeUndefined();
  });
});

describe('what an "always" covers', () => {
  it.each([
    'mkdir x',
    `git commit -m 'it'\\''s * "x"'`,
    `git commit -m "fix"`,
    String.raw`echo \\ '\'`,
    'x naïve ""',
    'sudo ls',
    "x '*' '**'",
  ])('is exactly its command: %s', (line) => {
    const { patterns = [] } = decide(line);
    expect(patterns).toHaveLength(1);
    const allow = [...patterns];
    expect(verdict(line, { allow })).toBe('allowed');
    expect(verdict(`${line} more`, { allow })).toBe('ask');
    expect(verdict(line.slice(0, -2), { allow })).toBe('ask');
  });

  it.each([
    ['mkdir x; touch y', ['mkdir x', 'touch y']],
    ['a 1 && a 2 || a 1', ['a 1', 'a 2']],
    ['mkdir x 2>/dev/null | sh', ['mkdir x | sh']],
    ["a '|' b && c | d 2>&1", ["a '|' b", 'c | d']],
  ])('is each step of a line, a pipeline being one: %s', (line, patterns) => {
    expect(decide(line).patterns).toEqual(patterns);
  });

  it.each([
    'mkdir *',
    'mkdir $x',
    'mkdir x\u200b',
    'cd x',
    'mkdir x > y',
    'ls && mkdir *',
    'alias ls=x && ls',
    'export PATH=/x; ls',
    'a; b; c; d',
    'git status && mkdir x',
    'gen x 2>&1 | sh',
    'gen x 2>&1 >/dev/null | sh',
  ])('is nothing: %j', (line) => {
    expect(decide(line).patterns).toBeUndefined();
  });
});

it('the reason names which of several commands ask, up to three, a long one by its beginning, and repeats none that stands alone', () => {
  const decide = (line: string): string =>
    decideCommand(line, { shell: 'bash', allow: ['ls'], deny: [] }).reason;
  expect(decide('touch evil')).toBe('The allow list does not cover it.');
  const reason = decide(`ls && echo ${'word '.repeat(300)}`);
  expect(reason).toMatch(/^The allow list does not cover 'echo word .*…'\.$/u);
  expect(reason.length).toBeLessThan(100);
  expect(decide('ls && a 1 && ls x && b')).toBe("The allow list does not cover 'a 1' and 'b'.");
  expect(decide('a && b; c | d && a && e')).toBe("The allow list does not cover 'a', 'b', 'c' and 2 more.");
});
