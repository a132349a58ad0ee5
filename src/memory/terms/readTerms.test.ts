import { describe, expect, it } from 'vitest';
import { stem, termsOfQueryToken, termsOfToken, tokensOf } from './readTerms.ts';

const all = (text: string): string[] =>
  tokensOf(text).flatMap((token) => {
    const { parts, forms } = termsOfToken(token);
    return [...parts, ...forms];
  });

describe('tokensOf', () => {
  it('keeps ids and paths whole', () => {
    expect(tokensOf('See docs/setup.md, PROJ-1234 (#140736) and v2.3.1.')).toEqual([
      'See',
      'docs/setup.md',
      'PROJ-1234',
      '#140736',
      'and',
      'v2.3.1',
    ]);
  });

  it('takes different forms of one character as one', () => {
    expect(tokensOf('ｆｉｌｅ')).toEqual(['file']);
    expect(all('cafe\u0301')).toEqual(all('café'));
  });

  it('joins a CJK run over the end of a line', () => {
    expect(tokensOf('設定\nファイル\n\nx')).toEqual(['設定ファイル', 'x']);
  });

  it('gives nothing for a text without words', () => {
    expect(all('… — ?!')).toEqual([]);
  });
});

describe('termsOfToken', () => {
  it('gives lower-case stems of words', () => {
    expect(all('Approvals, and (Denied) ones!')).toEqual(['approv', 'and', 'deni', 'on']);
  });

  it.each([
    ['before_tool_call', ['befor', 'tool', 'call', 'beforetoolcal', 'before_tool_call']],
    ['registerTool', ['regist', 'tool', 'registertool']],
    ['HTTPServer2Go', ['http', 'server2', 'go', 'httpserver2go']],
    ['__proto__', ['proto']],
    ['set-up', ['set', 'up', 'setup']],
    ['PROJ-1234', ['proj', '1234', 'proj1234', 'proj-1234']],
    ['#140736', ['140736', '#140736']],
    ['v2.3.1', ['v2', '3', '1', 'v2.3.1']],
    ['src/a/b.md', ['src', 'a', 'b', 'md', 'src/a/b.md']],
    ['“quoted”', ['quot']],
    ['naïve', ['naïve', 'naiv']],
    ['Straße', ['straße', 'strass']],
    ['설정을', ['설', '정', '을', '설정', '정을']],
    ['設定file', ['設', '定', '設定', 'file']],
    ['й', ['й']],
  ])('gives the terms of %s', (text, terms) => {
    expect(all(text)).toEqual(terms);
  });

  it('cuts what is no word but a blob', () => {
    const { parts } = termsOfToken('x'.repeat(1_000_000));
    expect(parts).toEqual(['x'.repeat(64)]);
    expect(termsOfToken('a-'.repeat(100_000)).forms).toEqual([]);
  });

  it('counts the words for the length of a text', () => {
    expect(
      ['plain', 'beforeToolCall', 'docs/setup.md', '世界', 'naïve'].map((word) => termsOfToken(word).words),
    ).toEqual([1, 3, 3, 2, 1]);
  });
});

describe('termsOfQueryToken', () => {
  it('takes only the pairs of a CJK run, but a single character as it is', () => {
    expect(termsOfQueryToken('世界人').parts).toEqual(['世界', '界人']);
    expect(termsOfQueryToken('界').parts).toEqual(['界']);
  });
});

describe('stem', () => {
  it.each([
    ['configured configures configuring configuration', 'configur'],
    ['plugin plugins', 'plugin'],
    ['approve approves approved approving approval', 'approv'],
    ['policy policies', 'polici'],
    ['hopping hopped hops', 'hop'],
    ['generalization generalizations generally', 'gener'],
  ])('gives %s one stem', (words, expected) => {
    expect([...new Set(words.split(' ').map(stem))]).toEqual([expected]);
  });

  // Pairs that Porter's paper gives, one for each of its steps.
  it.each([
    ['caresses', 'caress'],
    ['agreed', 'agre'],
    ['conflated', 'conflat'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['vietnamization', 'vietnam'],
    ['hopefulness', 'hope'],
    ['adoption', 'adopt'],
    ['cease', 'ceas'],
    ['controlling', 'control'],
  ])('stems %s to %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  it.each(['is', 'sql', 'größe', 'v24', 'пример'])('leaves %s as it is', (word) => {
    expect(stem(word)).toBe(word);
  });
});
