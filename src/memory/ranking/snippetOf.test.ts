import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snippetOf } from './snippetOf.ts';

const filler = (count: number): string => 'Nothing of the kind is said here.\n'.repeat(count);

describe('snippetOf', () => {
  it('gives a passage that fits whole', () => {
    expect(snippetOf('A short text.\n', 'key')).toBe('A short text.\n');
  });

  it('finds the lines with most of the different words asked for', () => {
    const text = `key key key\n${filler(30)}The deploy keys:\nask the vault\n${filler(30)}`;
    const snippet = snippetOf(text, 'deploy key vault', 80);
    expect(snippet).toContain('The deploy keys:\nask the vault');
  });

  it('keeps to whole lines', () => {
    const text = `${filler(30)}the deploy key\n${filler(30)}`;
    for (const line of snippetOf(text, 'deploy', 100).split('\n'))
      expect(['Nothing of the kind is said here.', 'the deploy key']).toContain(line);
  });

  it('begins at the beginning where no word occurs', () => {
    expect(snippetOf(`# Title\n${filler(40)}`, 'zebra', 50)).toBe(
      '# Title\nNothing of the kind is said here.',
    );
  });

  it('cuts a line that is too long between words', () => {
    const text = `${'lorem ipsum '.repeat(200)}the deploy key ${'lorem ipsum '.repeat(200)}`;
    const snippet = snippetOf(text, 'deploy', 120);
    expect(snippet).toContain('deploy');
    expect(snippet).toMatch(/^(lorem|ipsum|the) .*\w$/u);
  });

  it('cuts no character in two', () => {
    expect(snippetOf('😀'.repeat(200), 'zebra', 100)).toBe('😀'.repeat(39));
  });

  it('is never longer than asked and always a part of the passage', () => {
    const texts = fc
      .array(fc.constantFrom('key', 'lorem', ' ', '\n', '设置', '😀', 'x'.repeat(50)), { maxLength: 200 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 10, max: 200 }), (text, maxChars) => {
        const snippet = snippetOf(text, 'key 设置', maxChars);
        expect(snippet.length).toBeLessThanOrEqual(maxChars);
        expect(text).toContain(snippet);
        expect(snippet).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});
