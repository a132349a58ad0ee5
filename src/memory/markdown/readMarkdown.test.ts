import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MarkdownPassage, readFrontMatter, readMarkdown } from './readMarkdown.ts';
import { estimateTokens } from './tokens.ts';

const lines = (...each: readonly string[]): string => each.join('\n');
const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const cut = (text: string, tokens = 400, overlap = 0): MarkdownPassage[] => [
  ...readMarkdown(text, { tokens, overlap }).passages,
];

describe('readMarkdown: headings', () => {
  it('begins a passage at each heading, with exact lines and the headings above', () => {
    const text = lines('intro', '', '# Guide', 'about', '', '## Setup ##', '', 'run it', '', '# End', 'bye');
    expect(cut(text)).toEqual([
      { startLine: 1, endLine: 1, headings: [], text: 'intro' },
      { startLine: 3, endLine: 4, headings: ['Guide'], text: '# Guide\nabout' },
      { startLine: 6, endLine: 8, headings: ['Guide', 'Setup'], text: '## Setup ##\n\nrun it' },
      { startLine: 10, endLine: 11, headings: ['End'], text: '# End\nbye' },
    ]);
  });

  it('takes underlined headings', () => {
    expect(cut(lines('Guide', '=====', 'a', '', 'Setup', '---', 'b'))).toMatchObject([
      { startLine: 1, endLine: 3, headings: ['Guide'] },
      { startLine: 5, endLine: 7, headings: ['Guide', 'Setup'] },
    ]);
  });

  it('takes a rule, a list or a table for no heading', () => {
    const text = lines('a', '', '---', '', '- b', '---', '', '| c |', '---', '', '#nospace');
    expect(cut(text)).toMatchObject([{ startLine: 1, endLine: 11, headings: [] }]);
  });

  it('puts a heading without a text of its own to the deeper section after it', () => {
    expect(cut(lines('# Guide', '', '## Setup', 'a'))).toMatchObject([
      { startLine: 1, endLine: 4, headings: ['Guide', 'Setup'] },
    ]);
  });

  it('keeps a heading that nothing deeper follows', () => {
    expect(cut(lines('# One', '# Two', '## Three'))).toMatchObject([
      { startLine: 1, endLine: 1, headings: ['One'] },
      { startLine: 2, endLine: 3, headings: ['Two', 'Three'] },
    ]);
  });

  it('gives the words of a heading without its markup', () => {
    const [passage] = cut('# The `before_tool_call` **hook**, see [docs](x.md) _now_');
    expect(passage?.headings).toEqual(['The before_tool_call hook, see docs now']);
  });
});

describe('readMarkdown: fences', () => {
  it('finds no heading in a fence', () => {
    const text = lines('```sh', '# comment', '```', '~~~', '# x', '```', '~~~');
    expect(cut(text)).toMatchObject([{ startLine: 1, endLine: 7, headings: [] }]);
  });

  it('closes a fence only by one that is as long', () => {
    expect(cut(lines('````', '```', '# x', '````', '', '# y'))).toMatchObject([
      { startLine: 1, endLine: 4 },
      { startLine: 6, headings: ['y'] },
    ]);
  });

  const code = ['```', ...Array.from({ length: 300 }, () => words(3)), '```'];

  it('keeps a fence whole, however long, and repeats nothing of it', () => {
    expect(cut(lines('before', '', ...code, '', 'after'), 50, 20)).toMatchObject([
      { startLine: 1, endLine: 1 },
      { startLine: 3, endLine: 304 },
      { startLine: 306, endLine: 306 },
    ]);
  });

  it('repeats no part of a short fence either', () => {
    expect(cut(lines('```', 'a', 'b', '```', '', `${words(34)} end`), 60, 30)).toMatchObject([
      { startLine: 1, endLine: 4 },
      { startLine: 6, endLine: 6 },
    ]);
  });

  it('keeps the heading with a long fence below it', () => {
    expect(cut(lines('# A', '', ...code), 50)).toMatchObject([{ startLine: 1, endLine: 304 }]);
  });

  it('cuts a fence of more than 100 kB between its lines', () => {
    const passages = cut(lines('```', ...Array.from({ length: 10_000 }, () => words(3)), '```'));
    expect(passages.length).toBeGreaterThan(100);
    expect(passages.every(({ text }) => estimateTokens(text) <= 400)).toBe(true);
  });

  it('takes a fence that is never closed for text', () => {
    expect(cut(lines('```', 'a', '', '# Next', 'b'))).toMatchObject([{ endLine: 2 }, { headings: ['Next'] }]);
    expect(cut(lines('````', '```', '# x', '```', '# y'))).toMatchObject([{ endLine: 4 }, { startLine: 5 }]);
    expect(cut(lines('~~~', '```', '# x', '```', '# y'))).toMatchObject([{ endLine: 4 }, { startLine: 5 }]);
  });
});

describe('readMarkdown: length', () => {
  it('cuts a long section between paragraphs', () => {
    const paragraph = words(60);
    expect(cut(lines('# A', '', paragraph, '', paragraph, '', paragraph), 250)).toMatchObject([
      { startLine: 1, endLine: 5, headings: ['A'] },
      { startLine: 7, endLine: 7, headings: ['A'] },
    ]);
  });

  it('repeats whole lines, of at most the overlap, where a section is cut', () => {
    const line = words(10);
    const passages = cut(lines('# A', ...Array.from({ length: 40 }, () => line), '', '# B', 'b'), 100, 40);
    const inside = passages.filter(({ headings }) => headings[0] === 'A');
    expect(inside.length).toBeGreaterThan(5);
    for (const [index, { startLine }] of inside.slice(1).entries())
      expect((inside[index]?.endLine ?? 0) - startLine + 1).toBe(2);
    expect(passages.at(-1)).toMatchObject({ startLine: 43, endLine: 44, text: '# B\nb' });
  });

  it('cuts a long line after sentences and words', () => {
    const passages = cut(`${words(30)}. ${words(30)}. ${words(30)}.`, 60);
    expect(passages.every(({ startLine, endLine }) => startLine === 1 && endLine === 1)).toBe(true);
    expect(passages.every(({ text }) => /^word\d+.*(?:word\d+|\.)$/u.test(text))).toBe(true);
  });

  it('counts a CJK character as a whole token', () => {
    expect(cut(lines(...Array.from({ length: 10 }, () => '世界世界')), 9)).toHaveLength(5);
    expect(estimateTokens('abcd')).toBe(1);
    expect(estimateTokens('世界')).toBe(2);
  });
});

describe('readMarkdown: every text', () => {
  const line = fc.constantFrom(
    '# a',
    '## b',
    '### c',
    '',
    '  ',
    'text',
    'a longer line of text',
    'a line that is so long that it cannot be in one passage, however hard one tries, since it goes on',
    '- item',
    '```',
    '```js',
    '~~~~',
    '---',
    '===',
    'title: x',
    '世界世界',
  );
  const source = fc.array(line, { maxLength: 60 });
  const chunkings = fc.record({
    tokens: fc.integer({ min: 8, max: 60 }),
    overlap: fc.integer({ min: 0, max: 30 }),
  });

  it('has each line that is not blank in a passage, but for front matter', () => {
    fc.assert(
      fc.property(source, chunkings, (all, chunking) => {
        const missing = new Set(all.flatMap((each, index) => (each.trim() === '' ? [] : [index + 1])));
        const end = all[0] === '---' ? all.indexOf('---', 1) + 1 : 0;
        for (let at = 1; at <= end; at += 1) missing.delete(at);
        for (const { startLine, endLine } of readMarkdown(all.join('\n'), chunking).passages)
          for (let at = startLine; at <= endLine; at += 1) missing.delete(at);
        expect([...missing]).toEqual([]);
      }),
    );
  });

  it('gives the very lines it names, or a part of the one line', () => {
    fc.assert(
      fc.property(source, chunkings, (all, chunking) => {
        for (const { startLine, endLine, text } of readMarkdown(all.join('\n'), chunking).passages) {
          const named = all.slice(startLine - 1, endLine).join('\n');
          if (startLine === endLine) expect(named).toContain(text);
          else expect(text).toBe(named);
        }
      }),
    );
  });

  it('keeps to the bounds of length and overlap, but for fences', () => {
    fc.assert(
      fc.property(source, chunkings, (all, chunking) => {
        let before: MarkdownPassage | undefined;
        for (const passage of readMarkdown(all.join('\n'), chunking).passages) {
          if (!/```|~~~/u.test(passage.text))
            expect(estimateTokens(passage.text)).toBeLessThanOrEqual(chunking.tokens);
          const repeated = all.slice(passage.startLine - 1, before?.endLine ?? 0).join('\n');
          if (before?.startLine !== before?.endLine || before?.text === all[(before?.startLine ?? 1) - 1])
            expect(estimateTokens(repeated)).toBeLessThanOrEqual(chunking.overlap);
          before = passage;
        }
      }),
    );
  });

  it('goes on in order, each passage with something that is new', () => {
    fc.assert(
      fc.property(source, chunkings, (all, chunking) => {
        let [start, end] = [0, 0];
        for (const { startLine, endLine } of readMarkdown(all.join('\n'), chunking).passages) {
          expect(startLine).toBeGreaterThanOrEqual(start);
          expect(endLine).toBeGreaterThanOrEqual(end);
          [start, end] = [startLine, endLine];
        }
      }),
    );
  });
});

describe('readMarkdown: files as they come', () => {
  it('counts lines alike for LF, CRLF and CR', () => {
    const text = lines('# A', '', 'one', 'two', '', '# B', 'three');
    const expected = cut(text);
    expect(cut(text.replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(cut(text.replaceAll('\n', '\r'))).toEqual(expected);
  });

  it('gives nothing for an empty file', () => {
    expect(cut('')).toEqual([]);
    expect(cut('\n \n\t\n')).toEqual([]);
  });

  it('gives front matter as fields, and as a text only where it says more', () => {
    const fields = readMarkdown(lines('---', 'title: X', '---', '# A', 'a'), { tokens: 400, overlap: 80 });
    expect(fields.frontMatter).toMatchObject({ title: 'X' });
    expect([...fields.passages]).toMatchObject([{ startLine: 4, endLine: 5, headings: ['A'] }]);
    expect(cut(lines('---', 'title: X', 'about: hooks', '---', '# A', 'a'))).toMatchObject([
      { startLine: 1, endLine: 6, headings: ['A'] },
    ]);
    expect(cut(lines('---', 'about: hooks', '---'))).toMatchObject([{ startLine: 1, endLine: 3 }]);
  });

  // Each takes seconds of the twenty that a test has where the time grows with the length alone, and minutes where it is squared.
  const size = 100_000;
  it.each<[string, string]>([
    ['a line of a million characters', 'x'.repeat(10 * size)],
    ['a line of a million words', 'word '.repeat(10 * size)],
    ['headings', '# a\n## b\n'.repeat(size)],
    ['fences that are not closed', '```js\n'.repeat(size) + '~~~\n'.repeat(size)],
    ['fences, each shorter', Array.from({ length: 3_000 }, (_, n) => '`'.repeat(3_003 - n)).join('\n')],
    ['a paragraph of many lines', 'a b c\n'.repeat(3 * size)],
    ['underlines', '-'.repeat(10 * size) + 'x\n' + '=\n'.repeat(size)],
    ['spaces', `${' '.repeat(10 * size)}x${'\n'.repeat(size)}`],
  ])('comes to an end with %s', (_, text) => {
    expect(cut(text, 400, 80).every((passage) => passage.startLine <= passage.endLine)).toBe(true);
  });
});

const read = (...inside: readonly string[]) => readFrontMatter(['---', ...inside, '---', '# Text']);

describe('readFrontMatter', () => {
  it('gives title, tags, aliases and date', () => {
    expect(
      read('title: Set up', 'tags: [one, "#two"]', 'aliases:', '  - First', 'date: 2026-02-15T10:00'),
    ).toEqual({
      fields: { title: 'Set up', tags: ['one', 'two'], aliases: ['First'], date: '2026-02-15' },
      length: 7,
      saysMore: false,
    });
  });

  it('takes a line of tags, and values that are no texts', () => {
    expect(read('title: 2026', 'tags: one, two three', 'alias: A b, C').fields).toEqual({
      title: '2026',
      tags: ['one', 'two', 'three'],
      aliases: ['A b', 'C'],
    });
  });

  it('says where there is more than the fields', () => {
    expect(read('title: a', 'description: b').saysMore).toBe(true);
    expect(read('Title: a').saysMore).toBe(false);
    expect(read().saysMore).toBe(false);
  });

  it.each([
    ['no YAML', 'title: [a'],
    ['a list', '- a'],
    ['an alias', 'tags: &x [one]\naliases: *x'],
    ['a bomb', `a: &a [x]\n${Array.from({ length: 20 }, (_, n) => `b${n}: &b${n} [*a, *a, *a]`).join('\n')}`],
    ['deep nesting', `title: ${'['.repeat(9_000)}`],
    ['tags of the language', 'title: !!js/function x'],
  ])('gives no fields for %s, and is a text then', (_, source) => {
    const { fields, length } = read(...source.split('\n'));
    expect(fields.tags).toEqual([]);
    expect(length).toBe(source.split('\n').length + 2);
  });

  it('gives no day for a date that is none', () => {
    expect(read('date: 2026-99-99').fields.date).toBeUndefined();
    expect(read('date: soon').fields.date).toBeUndefined();
  });

  it('takes one that never ends, is very long or stands further down for text', () => {
    expect(readFrontMatter(['---', 'a: b']).length).toBe(0);
    expect(read('a: '.padEnd(30_000, 'x')).length).toBe(0);
    expect(readFrontMatter(['', '---', 'title: a', '---']).length).toBe(0);
  });

  it('sees it behind a byte order mark', () => {
    expect(readFrontMatter(['\uFEFF---', 'title: a', '---']).fields.title).toBe('a');
  });
});
