import { describe, expect, it } from 'vitest';
import { createAnchorSet } from './createAnchorSet.ts';

const files = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, text]) => ({ name, text }));

/** Queries with what they should find. */
const pairs = (texts: Readonly<Record<string, string>>) => {
  const set = createAnchorSet(files(texts));
  return set.queries.map(({ id, text }) => [text, Object.keys(set.qrels[id] ?? {})]);
};

describe('createAnchorSet', () => {
  it('takes inline links and links by name, with the files that they lead to', () => {
    expect(
      pairs({
        'a.md':
          'See [the approval broker](docs/b.md#top), [hook order][h] and [hook order].\n\n[h]: ./docs/c.md\n[hook order]: docs/b.md',
        'docs/b.md': '# B',
        'docs/c.md': '# C\n\n[what a plugin may do](b.md "title")',
      }),
    ).toEqual([
      ['hook order', ['docs/c.md', 'docs/b.md']],
      ['the approval broker', ['docs/b.md']],
      ['what a plugin may do', ['docs/b.md']],
    ]);
  });

  it('leaves out what says nothing, titles and names, links to itself, to elsewhere and pictures', () => {
    const links = [
      '[here](b.md)',
      '[this section](b.md)',
      '[Set up Pincer](b.md)',
      '[b.md](b.md)',
      '[own text here](a.md)',
      '[far away place](https://x.example/b.md)',
      '[not a file](z.md)',
      '![some nice picture](b.md)',
    ];
    expect(pairs({ 'a.md': links.join(' '), 'b.md': '# Set up `Pincer`' })).toEqual([]);
  });
});
