import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { glimpseOf } from './glimpseOf.ts';

const filler = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n'.repeat(8);

describe('glimpseOf', () => {
  it('shows a short passage whole, on one line', () => {
    expect(glimpseOf('Tides\nturn\t twice.', 'tide', 80)).toBe('Tides turn twice.');
  });

  it('leaves out headings at the top, unless there is nothing else', () => {
    expect(glimpseOf('# Tides\n\n## Table\n\nThey turn twice.', 'tides', 80)).toBe('They turn twice.');
    expect(glimpseOf('# Only a heading', 'heading', 80)).toBe('# Only a heading');
  });

  it('shows the place with the words of the query, and that something stands before it', () => {
    const glimpse = glimpseOf(
      `${filler}The tides turn twice a day.\n${filler}`,
      'when does the tide turn',
      120,
    );
    expect(glimpse).toMatch(/^… /u);
    expect(glimpse).toContain('The tides turn twice a day.');
  });

  it('is one line without hidden characters and never longer than allowed, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 400, unit: 'binary' }),
        fc.string({ maxLength: 20 }),
        (text, query) => {
          const glimpse = glimpseOf(text, query, 60);
          expect(glimpse.length).toBeLessThanOrEqual(60);
          expect(glimpse).not.toMatch(/[\n\r\u202E\u200B]/u);
        },
      ),
    );
  });
});
