import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkMarkdown } from './chunkMarkdown.ts';
import { estimateTokens } from './tokens.ts';

const lines = (...each: readonly string[]): string => each.join('\n');
const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

describe('chunkMarkdown: headings', () => {
  it('begins a passage at each heading, with exact lines and the headings above', () => {
    const text = lines('intro', '', '# Guide', 'about', '', '## Setup ##', '', 'run it', '', '# End', 'bye');
    expect(chunkMarkdown(text)).toEqual([
      { startLine: 1, endLine: 1, headings: [], text: 'intro' },
      { startLine: 3, endLine: 4, headings: ['Guide'], text: '# Guide\nabout' },
      { startLine: 6, endLine: 8, headings: ['Guide', 'Setup'], text: '## Setup ##\n\nrun it' },
      { startLine: 10, endLine: 11, headings: ['End'], text: '# End\nbye' },
    ]);
  });

  it('takes underlined headings', () => {
    expect(chunkMarkdown(lines('Guide', '=====', 'a', '', 'Setup', '---', 'b'))).toMatchObject([
      { startLine: 1, endLine: 3, headings: ['Guide'] },
      { startLine: 5, endLine: 7, headings: ['Guide', 'Setup'] },
    ]);
  });

  it('takes a rule, a list or a table for no heading', () => {
    const text = lines('a', '', '---', '', '- b', '---', '', '| c |', '---', '', '#nospace');
    expect(chunkMarkdown(text)).toMatchObject([{ startLine: 1, endLine: 11, headings: [] }]);
  });

  it('leaves a heading to the deeper ones below it where it has no text of its own', () => {
    expect(chunkMarkdown(lines('# Guide', '', '## Setup', 'a'))).toMatchObject([
      { startLine: 3, endLine: 4, headings: ['Guide', 'Setup'] },
    ]);
  });

  it('keeps a heading that nothing carries', () => {
    expect(chunkMarkdown(lines('# One', '# Two', '## Three'))).toMatchObject([
      { startLine: 1, headings: ['One'] },
      { startLine: 3, headings: ['Two', 'Three'] },
    ]);
  });

  it('gives the words of a heading without its markup', () => {
    const [chunk] = chunkMarkdown('# The `before_tool_call` **hook**, see [docs](x.md) _now_');
    expect(chunk?.headings).toEqual(['The before_tool_call hook, see docs now']);
  });
});

describe('chunkMarkdown: fences', () => {
  it('finds no heading in a fence', () => {
    const text = lines('```sh', '# comment', '```', '~~~', '# x', '```', '~~~');
    expect(chunkMarkdown(text)).toMatchObject([{ startLine: 1, endLine: 7, headings: [] }]);
  });

  it('closes a fence only by one that is as long', () => {
    expect(chunkMarkdown(lines('````', '```', '# x', '````', '', '# y'))).toMatchObject([
      { startLine: 1, endLine: 4 },
      { startLine: 6, headings: ['y'] },
    ]);
  });

  it('keeps a fence whole, however long', () => {
    const code = ['```', ...Array.from({ length: 300 }, () => words(3)), '```'];
    expect(chunkMarkdown(lines('before', '', ...code, '', 'after'), 50)).toMatchObject([
      { startLine: 1, endLine: 1 },
      { startLine: 3, endLine: 304 },
      { startLine: 306, endLine: 306 },
    ]);
  });

  it('takes a fence that is never closed for text', () => {
    expect(chunkMarkdown(lines('```', 'a', '', '# Next', 'b'))).toMatchObject([
      { endLine: 2 },
      { headings: ['Next'] },
    ]);
  });
});

describe('chunkMarkdown: length', () => {
  it('cuts a long section between paragraphs', () => {
    const paragraph = words(60);
    const chunks = chunkMarkdown(lines('# A', '', paragraph, '', paragraph, '', paragraph), 250);
    expect(chunks).toMatchObject([
      { startLine: 1, endLine: 5, headings: ['A'] },
      { startLine: 7, endLine: 7, headings: ['A'] },
    ]);
  });

  it('cuts a long paragraph between its lines', () => {
    const chunks = chunkMarkdown(Array.from({ length: 40 }, () => words(10)).join('\n'), 100);
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.map((chunk) => chunk.startLine).slice(1)).toEqual(
      chunks.map((chunk) => chunk.endLine + 1).slice(0, -1),
    );
  });

  it('cuts a long line after sentences and words', () => {
    const chunks = chunkMarkdown(`${words(30)}. ${words(30)}. ${words(30)}.`, 60);
    expect(chunks.every((chunk) => chunk.startLine === 1 && chunk.endLine === 1)).toBe(true);
    expect(chunks.every((chunk) => /^word\d+.*(?:word\d+|\.)$/u.test(chunk.text))).toBe(true);
  });

  it('counts a CJK character as a whole token', () => {
    expect(estimateTokens('abcd')).toBe(1);
    expect(estimateTokens('世界')).toBe(2);
  });

  const prose = fc.array(
    fc.constantFrom(
      '# a',
      '## b',
      '',
      'text',
      'a longer line of text',
      '- item',
      '```',
      '~~~~',
      '---',
      '世界世界',
    ),
    { maxLength: 60 },
  );

  it('gives the lines that it names, in order, and leaves out only blank ones and headings', () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 6, max: 60 }), (source, maxTokens) => {
        const between: string[] = [];
        let covered = 0;
        for (const chunk of chunkMarkdown(source.join('\n'), maxTokens)) {
          expect(chunk.text).toBe(source.slice(chunk.startLine - 1, chunk.endLine).join('\n'));
          expect(chunk.startLine).toBeGreaterThan(covered);
          between.push(...source.slice(covered, chunk.startLine - 1));
          covered = chunk.endLine;
        }
        between.push(...source.slice(covered));
        expect(between.filter((line) => line !== '' && line !== '# a')).toEqual([]);
      }),
    );
  });
});

describe('chunkMarkdown: files as they come', () => {
  it('counts lines alike for LF, CRLF and CR', () => {
    const text = lines('# A', '', 'one', 'two', '', '# B', 'three');
    const expected = chunkMarkdown(text);
    expect(chunkMarkdown(text.replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(chunkMarkdown(text.replaceAll('\n', '\r'))).toEqual(expected);
  });

  it('takes front matter for text, not for a heading', () => {
    expect(chunkMarkdown(lines('---', 'title: X', '---', '# A'))).toMatchObject([
      { startLine: 1, endLine: 3, headings: [] },
      { startLine: 4, headings: ['A'] },
    ]);
  });

  it('gives nothing for an empty file', () => {
    expect(chunkMarkdown('')).toEqual([]);
    expect(chunkMarkdown('\n \n\t\n')).toEqual([]);
  });
});
