import { describe, expect, it } from 'vitest';
import type { MemoryFile, MemoryStatus } from '../../memory/memory.ts';
import { childRows, digestOf, fileContext, planMemoryRows, type MemoryRow } from './memoryRows.ts';

const status: MemoryStatus = {
  isEnabled: true,
  files: 1,
  passages: 2,
  bytes: 10,
  indexPath: '/state/memory.db',
  stale: 0,
  role: 'writing',
  generation: 1,
  vector: { state: 'off', reason: 'no provider', embedded: 0, total: 2 },
  problems: [],
};

function file(label: string, more: Partial<MemoryFile> = {}): MemoryFile {
  return {
    path: `/w/${label}`,
    label,
    source: 'memory',
    passages: 2,
    bytes: 100,
    modified: 1,
    state: 'indexed',
    ...more,
  };
}

/** Rows as indented lines. */
function draw(rows: readonly MemoryRow[], indent = ''): string[] {
  return rows.flatMap((row) => {
    const children = draw(childRows(row), `${indent}  `);
    switch (row.kind) {
      case 'folder':
        return [`${indent}${row.label}/ ${String(row.files)} ${String(row.passages)}`, ...children];
      case 'file':
        return [`${indent}${row.name}`];
      case 'group':
        return [`${indent}[${row.group}]`, ...children];
      case 'problem':
        return [`${indent}! ${row.diagnostic.message}`];
      default:
        return [`${indent}(${row.kind})`];
    }
  });
}

const plan = (files: readonly MemoryFile[], more: Partial<MemoryStatus> = {}) =>
  planMemoryRows({ status: { ...status, ...more }, files });

describe('planMemoryRows', () => {
  it('shows state, folders with sums, then files, each sorted as people count', () => {
    const labels = ['notes 10.md', 'notes 9.md', 'docs/b.md', 'docs/a.md', 'docs/deep/c.md', 'Aft/x.md'];
    expect(draw(plan(labels.map((label) => file(label))))).toEqual([
      '(state)',
      '(vector)',
      'Aft/ 1 2',
      '  x.md',
      'docs/ 3 6',
      '  deep/ 1 2',
      '    c.md',
      '  a.md',
      '  b.md',
      'notes 9.md',
      'notes 10.md',
    ]);
  });

  it('draws a chain of folders that hold nothing else as one', () => {
    expect(draw(plan([file('a/b/c/x.md'), file('a/b/c/y.md')]))).toEqual([
      '(state)',
      '(vector)',
      'a/b/c/ 2 4',
      '  x.md',
      '  y.md',
    ]);
  });

  it('gives every folder its own key, also below a chain and where names repeat', () => {
    const keys = (rows: readonly MemoryRow[]): string[] =>
      rows.flatMap((row) => [...(row.kind === 'folder' ? [row.key] : []), ...keys(childRows(row))]);
    const rows = plan([file('a/b/x/1.md'), file('a/b/y/1.md'), file('c/x/1.md'), file('c/2.md')]);
    expect(keys(rows)).toEqual(['a/b', 'a/b/x', 'a/b/y', 'c', 'c/x']);
  });

  it('keeps what is left out, forgotten or said in a session apart, and shows what is stale in its folder', () => {
    const files = [
      file('a.md', { state: 'stale' }),
      file('big.md', { state: 'left-out', reason: 'larger than 10 MB' }),
      file('secret.md', { state: 'forgotten' }),
      file('sessions/1.jsonl', { source: 'sessions' }),
    ];
    expect(draw(plan(files))).toEqual([
      '(state)',
      '(vector)',
      'a.md',
      '[sessions]',
      '  sessions/1.jsonl',
      '[left-out]',
      '  big.md',
      '[forgotten]',
      '  secret.md',
    ]);
  });

  it('shows the newest session first', () => {
    const session = (name: string, modified: number): MemoryFile =>
      file(`sessions/${name}.jsonl`, { source: 'sessions', modified });
    expect(draw(plan([session('a', 1), session('b', 3), session('c', 2)])).slice(2)).toEqual([
      '[sessions]',
      '  sessions/b.jsonl',
      '  sessions/c.jsonl',
      '  sessions/a.jsonl',
    ]);
  });

  it('shows problems above the files', () => {
    const problems = [{ level: 'warn', code: 'x', message: 'The index was rebuilt.' }] as const;
    expect(draw(plan([file('a.md')], { problems }))[2]).toBe('! The index was rebuilt.');
  });

  it('is empty where there is nothing to show, and not while the first files are being looked for', () => {
    expect(plan([])).toEqual([]);
    expect(plan([file('a.md')], { isEnabled: false })).toEqual([]);
    expect(draw(plan([], { progress: { phase: 'scan', done: 0 } }))).toEqual(['(state)', '(vector)']);
  });

  it('opens folders where there are few files', () => {
    const isOpen = (count: number): boolean | undefined => {
      const files = Array.from({ length: count }, (_, each) => file(`docs/${String(each)}.md`));
      const folder = plan(files).find((row) => row.kind === 'folder');
      return folder?.isOpen;
    };
    expect([isOpen(25), isOpen(26)]).toEqual([true, false]);
  });
});

describe('digestOf', () => {
  it('changes with what a row shows and not with progress', () => {
    const before = digestOf({ status, files: [file('a.md')] });
    const later = { ...status, generation: 9, progress: { phase: 'index', done: 1 } } as const;
    expect(digestOf({ status: later, files: [file('a.md')] })).toBe(before);
    expect(digestOf({ status, files: [file('a.md', { state: 'stale' })] })).not.toBe(before);
    expect(digestOf({ status, files: [file('a.md', { passages: 3 })] })).not.toBe(before);
    expect(digestOf({ status, files: [] })).not.toBe(before);
  });
});

describe('fileContext', () => {
  it('names the state, and whether a glob can exclude the file', () => {
    expect(fileContext(file('a.md', { state: 'stale' }))).toBe('file.stale.note');
    expect(fileContext(file('s.jsonl', { source: 'sessions' }))).toBe('file.indexed.session');
  });
});
