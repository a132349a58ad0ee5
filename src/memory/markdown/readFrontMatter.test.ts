import { describe, expect, it } from 'vitest';
import { readFrontMatter } from './readFrontMatter.ts';

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
