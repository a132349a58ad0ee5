import { expect, it } from 'vitest';
import { createRowCache, type RowCache } from './createRowCache.ts';

interface Row {
  readonly name: string;
  readonly text?: string;
  readonly children?: readonly Row[];
}

const create = (): RowCache<Row> =>
  createRowCache<Row>({
    keyOf: ({ name }) => name,
    childrenOf: ({ children }) => children ?? [],
    lookOf: ({ text }) => text ?? '',
  });

const plugins = (...children: readonly Row[]): readonly Row[] => [
  { name: 'workspace', children },
  { name: 'bundled', children: [{ name: 'audit' }] },
];

it('draws everything the first time, and nothing while it stays the same', () => {
  const rows = create();
  expect(rows.take(plugins({ name: 'a' }))).toBe('all');
  expect(rows.take(plugins({ name: 'a' }))).toEqual([]);
});

it('draws only the row that looks different, which stays the same object with what it says now', () => {
  const rows = create();
  rows.take(plugins({ name: 'a', text: 'off' }, { name: 'b', text: 'off' }));
  const [workspace] = rows.top();
  const [a, b] = rows.under(workspace ?? { name: '' });
  expect(rows.take(plugins({ name: 'a', text: 'on' }, { name: 'b', text: 'off' }))).toEqual([
    { name: 'a', text: 'on' },
  ]);
  expect(a).toEqual({ name: 'a', text: 'on' });
  expect(rows.under(workspace ?? { name: '' })).toEqual([a, b]);
  expect(rows.under(workspace ?? { name: '' })[1]).toBe(b);
});

it('draws the row above where one below comes, goes or moves', () => {
  const rows = create();
  rows.take(plugins({ name: 'a' }));
  const names = (stale: readonly Row[] | 'all'): unknown =>
    stale === 'all' ? stale : stale.map(({ name }) => name);
  expect(names(rows.take(plugins({ name: 'a' }, { name: 'b' })))).toEqual(['workspace']);
  expect(names(rows.take(plugins({ name: 'b' }, { name: 'a' })))).toEqual(['workspace']);
  expect(names(rows.take(plugins({ name: 'a' })))).toEqual(['workspace']);
});

it('names a row that is drawn anew, and none of those below it', () => {
  const rows = create();
  const of = (text: string): readonly Row[] => [
    { name: 'a', text, children: [{ name: 'b', text, children: [{ name: 'c', text }] }] },
  ];
  rows.take(of('off'));
  expect(rows.take(of('on'))).toEqual(of('on'));
});

it('draws everything where a row at the top comes or goes', () => {
  const rows = create();
  rows.take([{ name: 'a' }]);
  expect(rows.take([{ name: 'a' }, { name: 'b' }])).toBe('all');
  expect(rows.take([{ name: 'b' }])).toBe('all');
  expect(rows.top()).toEqual([{ name: 'b' }]);
});

it('keeps siblings of one key apart', () => {
  const rows = create();
  const twice = (text: string): readonly Row[] =>
    plugins({ name: 'same', text: 'first' }, { name: 'same', text });
  rows.take(twice('second'));
  expect(rows.take(twice('changed'))).toEqual([{ name: 'same', text: 'changed' }]);
});

it('forgets what a row no longer says, and rows that are gone', () => {
  const rows = create();
  rows.take([{ name: 'a', text: 'off', children: [{ name: 'b' }] }]);
  const [a] = rows.top();
  rows.take([{ name: 'a' }]);
  expect(a).toEqual({ name: 'a' });
  expect(rows.under(a ?? { name: '' })).toEqual([]);
});
