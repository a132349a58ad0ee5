import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextIndex, type IndexedFields, type TextIndex } from './createTextIndex.ts';

interface Entry extends IndexedFields {
  readonly id: string;
}

const entry = (id: string, body: string, more: Partial<IndexedFields> = {}): Entry => ({
  id,
  title: '',
  headings: [],
  body,
  ...more,
});

function indexOf(...entries: readonly Entry[]): TextIndex<Entry> {
  const index = createTextIndex<Entry>();
  for (const each of entries) index.add(each, each);
  return index;
}

const found = (index: TextIndex<Entry>, query: string, limit = 10): string[] =>
  index.search(query, limit).map(({ item }) => item.id);

describe('createTextIndex', () => {
  it('puts the entry first that has the rare term', () => {
    const index = indexOf(
      entry('a', 'the tool runs'),
      entry('b', 'the tool asks for approval'),
      entry('c', 'the tool'),
    );
    expect(found(index, 'tool approval')[0]).toBe('b');
  });

  it('finds entries that have only some of the terms', () => {
    expect(found(indexOf(entry('a', 'approval broker')), 'how does the approval window work')).toEqual(['a']);
  });

  it('finds other forms of a word, parts of an identifier, and CJK substrings', () => {
    const index = indexOf(
      entry('a', 'configured plugins'),
      entry('b', 'before_tool_call'),
      entry('c', '今日は世界です'),
    );
    expect(found(index, 'configuration plugin')).toEqual(['a']);
    expect(found(index, 'tool')).toEqual(['b']);
    expect(found(index, 'beforeToolCall')).toEqual(['b']);
    expect(found(index, '世界')).toEqual(['c']);
  });

  it('puts a hit in a heading or the title before one in the text', () => {
    const index = indexOf(
      entry('body', 'about approvals and more'),
      entry('heading', 'about this and more', { headings: ['Approvals'] }),
    );
    expect(found(index, 'approvals')).toEqual(['heading', 'body']);
    expect(found(indexOf(entry('x', 'y', { title: 'docs/setup.md' })), 'setup')).toEqual(['x']);
  });

  it('counts a term more that the query repeats', () => {
    const index = indexOf(entry('a', 'alpha'), entry('b', 'beta'));
    expect(found(index, 'alpha beta beta')[0]).toBe('b');
    expect(found(index, 'beta alpha alpha')[0]).toBe('a');
  });

  it('finds a compound by its parts', () => {
    expect(found(indexOf(entry('a', 'setup'), entry('b', 'a set of files')), 'how do I set it up')[0]).toBe(
      'a',
    );
  });

  it('does not go by words that say nothing, unless there are no others', () => {
    const index = indexOf(entry('a', 'what is this'), entry('b', 'a hook'));
    expect(found(index, 'what is a hook')).toEqual(['b']);
    expect(found(index, 'what is this')).toContain('a');
  });

  it('forgets an entry that is removed, and replaces one that is added again', () => {
    const gone = entry('a', 'alpha');
    const index = indexOf(gone, entry('b', 'alpha'));
    index.remove(gone);
    index.remove(gone);
    expect(found(index, 'alpha')).toEqual(['b']);
    index.add(gone, { ...gone, body: 'beta' });
    expect(found(index, 'alpha')).toEqual(['b']);
    expect(found(index, 'beta')).toEqual(['a']);
  });

  it('scores between 0 and 1, and tells good hits from weak ones', () => {
    const [best, second] = indexOf(entry('a', 'alpha beta'), entry('b', 'alpha'), entry('c', 'x')).search(
      'alpha beta',
      9,
    );
    expect(best?.score).toBeLessThan(1);
    expect(second?.score).toBeGreaterThan(0);
    expect(best?.score).toBeGreaterThan(second?.score ?? 1);
  });

  it('keeps equal entries in the order they were added, the last addition counting', () => {
    const entries = ['a', 'b', 'c'].map((id) => entry(id, 'alpha'));
    const index = indexOf(...entries);
    expect(found(index, 'alpha')).toEqual(['a', 'b', 'c']);
    index.add(entries[0]!, entries[0]!);
    expect(found(index, 'alpha')).toEqual(['b', 'c', 'a']);
  });

  it('gives with a smaller limit the head of the same list', () => {
    const index = indexOf(
      ...Array.from({ length: 30 }, (_, n) => entry(`${n}`, `alpha ${'x '.repeat(n % 5)}`)),
    );
    const all = found(index, 'alpha', 100);
    expect(all).toHaveLength(30);
    for (let limit = 0; limit < 30; limit += 1)
      expect(found(index, 'alpha', limit)).toEqual(all.slice(0, limit));
  });

  it.each([
    '',
    ' ',
    '"',
    'a AND',
    '(',
    '*',
    'NEAR/2',
    '\0',
    '\uD800',
    '__proto__ constructor',
    'x'.repeat(100_000),
  ])('answers the odd query %j', (query) => {
    expect(() => indexOf(entry('a', 'alpha')).search(query, 5)).not.toThrow();
  });

  it('takes any text for an entry and a query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (body, query) => {
        for (const { score } of indexOf(entry('a', body)).search(query, 5)) expect(score).toBeGreaterThan(0);
      }),
    );
  });
});
