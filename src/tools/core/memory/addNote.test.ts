import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMarkdownBlocks } from '../../../memory/markdown/readMarkdown.ts';
import { addNote, type DatedNote } from './addNote.ts';

const note = (text: string, more: Partial<DatedNote> = {}): DatedNote => ({
  day: '2026-01-31',
  time: '14:05',
  title: 'Choice',
  text,
  ...more,
});

/** What the note's own text became. */
function bodyOf(text: string): string {
  return addNote(null, note(text)).replace('# 2026-01-31\n\n## 14:05 Choice\n\n', '');
}

describe('addNote', () => {
  it('begins a new file with its day, and stands at the end of an old one', () => {
    expect(addNote(null, note('We use tabs.'))).toBe('# 2026-01-31\n\n## 14:05 Choice\n\nWe use tabs.\n');
    for (const old of ['# Mine\n\nkept', '# Mine\n\nkept\n'])
      expect(addNote(old, note('Next.', { title: '' }))).toBe('# Mine\n\nkept\n\n## 14:05\n\nNext.\n');
    expect(addNote(null, note('x', { title: ' ', time: undefined }))).toContain('\n## Note\n');
  });

  it('keeps lists, code and tables as they are', () => {
    const text = '- one\n- two\n\n```ts\n# no heading\n<b>\n```\n\n| a | b |\n| --- | --- |\n| 1 | <2 |';
    expect(bodyOf(text)).toBe(`${text}\n`);
  });

  it('puts headings below its own', () => {
    expect(bodyOf('# One\n## Two\n###### Six\n#hashtag')).toBe('### One\n#### Two\n###### Six\n#hashtag\n');
    expect(bodyOf('One\n===\nTwo\n---\n| - |')).toBe('One\n\\===\nTwo\n\\---\n| - |\n');
  });

  it.each([
    ['a fence that is never closed', '```\nrm -rf'],
    ['a fence in a list that ends elsewhere', '- a\n  ```\ncode\n```'],
    ['a closing fence that is too short', '````\n```'],
    ['a comment', 'seen <!-- unseen\nmore'],
    ['a tag that begins a line', '<details>\nmore'],
    ['a script in a list', '- <script>\nmore'],
  ])('holds %s in a quote', (_, text) => {
    const lines = bodyOf(text).trimEnd().split('\n');
    expect(lines.every((line) => line.startsWith('>'))).toBe(true);
    expect(lines.map((line) => line.slice(2)).join('\n')).toBe(text);
  });

  it('takes out what nobody sees, and keeps what languages and emoji need', () => {
    const hidden = '\u00AD\u034F\u115F\u180E\u200B\u202E\u2066\u3164\uFE01\uFEFF\uFFA0\u{E0041}\u{E0101}';
    expect(bodyOf(`a${hidden}b`)).toBe('ab\n');
    expect(bodyOf('\u2764\uFE0F \u0645\u200C\u0646')).toBe('\u2764\uFE0F \u0645\u200C\u0646\n');
  });

  it('leaves the note after it a heading of its own, whatever the text says', () => {
    const piece = fc.constantFrom(
      ...['```', '~~~', '````', '- ', '> ', '# x', '## y', '<!--', '-->', '<pre>', 'text', '`', '===', '---'],
      ...['\n', '\n\n', '    ', '1. ', '\r', '\t'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = addNote(addNote(null, note(pieces.join(''))), note('after', { title: 'Second' }));
        const headings = [...readMarkdownBlocks(text.split('\n'), 0)].filter(
          (block) => block.kind === 'heading' && block.level < 3,
        );
        expect(headings).toMatchObject([
          { level: 1, title: '2026-01-31' },
          { level: 2, title: '14:05 Choice' },
          { level: 2, title: '14:05 Second' },
        ]);
      }),
    );
  });

  it('closes a fence that the file has left open', () => {
    expect(addNote('```js\ncode', note('x'))).toBe('```js\ncode\n```\n\n## 14:05 Choice\n\nx\n');
    expect(addNote('```js\ncode\n```\n', note('x'))).not.toMatch(/```\n```/u);
  });

  it('drops what nobody sees, and keeps a title to one line', () => {
    expect(bodyOf('a\u200Bb\u202Ec\u0000d\u{E0041}e\r\nf\u2028g')).toBe('abcde\nf\ng\n');
    const title = 'a\n# b <!-- c ##';
    expect(addNote(null, note('x', { title }))).toContain('\n## 14:05 a # b &lt;!-- c\n');
  });
});
