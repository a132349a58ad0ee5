import { describe, expect, it } from 'vitest';
import { parseAgentYaml, type ParsedYaml } from './parseAgentYaml.ts';

const firstProblem = (parsed: ParsedYaml): readonly unknown[] => {
  if (parsed.ok) return [];
  const [problem] = parsed.problems;
  return [problem?.code, problem?.place.line, problem?.place.column];
};

describe('the YAML of an agent file', () => {
  it('gives plain data and the place of every key and value', () => {
    const parsed = parseAgentYaml('a:\n  b: [1, two, { c: null }]\n  d: &x { e: true }\nf: *x\n');
    expect(parsed).toMatchObject({
      ok: true,
      value: { a: { b: [1, 'two', { c: null }], d: { e: true } }, f: { e: true } },
    });
    if (!parsed.ok) return;
    expect(parsed.places.keyAt(['a', 'b'])).toEqual({ line: 2, column: 3 });
    expect(parsed.places.valueAt(['a', 'b', 1])).toEqual({ line: 2, column: 10 });
    // What is missing is said to be where it should stand.
    expect(parsed.places.valueAt(['a', 'b', 2, 'missing', 'more'])).toEqual({ line: 2, column: 15 });
  });

  it.each([
    ['a key that is there twice', 'a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n', 'agent_file_duplicate_key', 5, 3],
    ['a key twice in one line', 'a: { b: 1, b: 2 }', 'agent_file_duplicate_key', 1, 12],
    ['broken syntax', 'a: 1\nb: [1, 2\n', 'agent_file_syntax', 3, 1],
    ['a tab', 'a:\n\tb: 1', 'agent_file_syntax', 2, 1],
    ['a second document', 'a: 1\n---\nb: 2\n', 'agent_file_syntax', 2, 1],
    ['a tag', 'a: !secret x\n', 'agent_file_syntax', 1, 4],
    ['a tag that asks for a type', 'a: !!js/function "x"\n', 'agent_file_syntax', 1, 4],
    [
      'a tag that an old version of YAML knows',
      '%YAML 1.1\n---\na: !!binary aGk=\n',
      'agent_file_syntax',
      3,
      4,
    ],
    ['a key that is a list', '? [a]\n: 1\n', 'agent_file_syntax', 1, 3],
    [
      'a key that plugins would inherit from',
      'a:\n  __proto__: { admin: true }\n',
      'agent_file_syntax',
      2,
      3,
    ],
    ['an alias of nothing', 'a: *b\n', 'agent_file_syntax', 1, 4],
    ['a number that is none', 'a: .nan\n', 'agent_file_syntax', 1, 4],
    ['an alias of itself', 'a: &a [*a, *a]\n', 'agent_file_too_complex', 1, 8],
    [
      'more aliases than anyone needs',
      `a: &a 1\nb: [${'*a,'.repeat(51)}]\n`,
      'agent_file_too_complex',
      2,
      155,
    ],
    ['nesting that fills the stack', '['.repeat(2_000), 'agent_file_too_complex', 1, expect.any(Number)],
    [
      'nesting deeper than plugins can stand',
      '['.repeat(50) + ']'.repeat(50),
      'agent_file_too_complex',
      1,
      42,
    ],
    ['too many values', `a: [${'1,'.repeat(20_000)}]`, 'agent_file_too_complex', 1, expect.any(Number)],
  ])('refuses %s, with line and column', (_what, text, code, line, column) => {
    expect(firstProblem(parseAgentYaml(text))).toEqual([code, line, column]);
  });

  it('stops a bomb of aliases before it grows', () => {
    const levels = Array.from({ length: 12 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(4)}]`);
    const parsed = parseAgentYaml(['l0: &l0 [boom]', ...levels].join('\n'));
    expect(firstProblem(parsed)[0]).toBe('agent_file_too_complex');
  });

  it('looks for keys that are there twice in time that grows with the file, not with its square', () => {
    const keys = Array.from({ length: 15_000 }, (_, at) => `k${at}: 1`);
    expect(parseAgentYaml(keys.join('\n')).ok).toBe(true);
    expect(firstProblem(parseAgentYaml([...keys, 'k0: 1'].join('\n')))).toEqual([
      'agent_file_duplicate_key',
      15_001,
      1,
    ]);
  });

  it('takes words such as yes for words, as YAML 1.2 says', () => {
    expect(parseAgentYaml('%YAML 1.1\n---\na: yes\nb: 012\n')).toMatchObject({ value: { a: 'yes', b: 12 } });
  });
});
