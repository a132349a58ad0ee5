import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryHit } from '../../memory/memory.ts';
import { hitMarkdown } from './hitMarkdown.ts';

const hit: MemoryHit = {
  path: '/w/docs/setup.md',
  label: 'docs/setup.md',
  source: 'memory',
  startLine: 12,
  endLine: 20,
  headings: ['Setup', 'Tides'],
  text: '## Tides\n\nThe tide turns\ntwice a day.',
  score: 0.8171,
  date: '2026-03-01',
  why: {
    text: { score: 0.8171, bm25: 4.5, terms: [{ term: 'tide', bm25: 4.5 }] },
    weighted: 0.8171,
    decay: 1,
    similarity: 0,
  },
};
const href = 'file:///w/docs/setup.md#L12';

/** Text that no markdown renderer takes as more than text. */
const withoutEscapes = (markdown: string): string => markdown.replace(/\\[^\w\s]/gu, '');

describe('hitMarkdown', () => {
  it('cites the lines with a link whose title is the passage, and says headings, day, score and why', () => {
    const [first, ...rest] = hitMarkdown(hit, 'tides', href).split('\n');
    expect(first).toBe(
      '1. [docs/setup\\.md\\#L12\\-L20](<file:///w/docs/setup.md#L12> "\\#\\# Tides The tide turns twice a day\\.") · **Setup › Tides** · 2026\\-03\\-01 · 0\\.82  ',
    );
    expect(rest).toEqual(['   The tide turns twice a day\\.  ', '   *Words 0\\.82\\: tide 4\\.5*']);
  });

  it('leaves out headings where there are none', () => {
    expect(hitMarkdown({ ...hit, headings: [] }, 'tides', href)).toContain('") · 2026');
  });

  it.each([
    '[click](command:pincer.approvals.allowOnce)',
    '![x](https://example.com/x.png)',
    '<a href="https://example.com">x</a><img src=x onerror=alert(1)>',
    '" onclick="x") [y](https://example.com)',
    '\\") [y](https://example.com "',
    'https://example.com/?q=secret',
    '```\n# heading\n```',
    '$(error) **bold** `code` ~~gone~~ | a | b |',
    '\u202Egnp.exe\u200B',
  ])('shows %s literally wherever it stands', (hostile) => {
    const all = { ...hit, label: `docs/${hostile}.md`, headings: [hostile], text: hostile, date: hostile };
    const markdown = hitMarkdown(
      { ...all, why: { ...hit.why, text: { score: 1, bm25: 1, terms: [{ term: hostile, bm25: 1 }] } } },
      hostile,
      href,
    );
    // What is left without escaped characters is our own: one link, one bold heading, one line of reasons.
    const bare = withoutEscapes(markdown);
    expect(bare.match(/[[\]`~|<>"$]/gu)).toEqual(['[', ']', '<', '>', '"', '"']);
    expect(bare.match(/https?:/gu)).toBeNull();
    expect(bare.match(/\*+/gu)).toEqual(['**', '**', '*', '*']);
    expect(markdown).not.toMatch(/[\u202E\u200B]/u);
  });

  it('is at most three lines, and nothing leaves its entry of the list, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const lines = hitMarkdown({ ...hit, text, headings: [text], label: text }, text, href).split(
          /\r|\n/u,
        );
        expect(lines.length).toBeLessThanOrEqual(3);
        for (const line of lines.slice(1)) expect(line).toMatch(/^ {3}\S/u);
      }),
    );
  });
});
