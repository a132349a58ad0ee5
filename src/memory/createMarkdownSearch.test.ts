import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createManualClock } from '../host/memory/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { systemClock } from '../host/node/systemClock.ts';
import { createMarkdownSearch, type MarkdownSearchOptions } from './createMarkdownSearch.ts';

let folder: string;
let reads: string[];
let reports: Diagnostic[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pincer-search-'));
  reads = [];
  reports = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function searchIn(options: Partial<MarkdownSearchOptions> = {}) {
  const fs = createNodeFileSystem();
  const search = createMarkdownSearch({
    fs: {
      ...fs,
      readText: (path, maxBytes) => {
        reads.push(path.slice(folder.length + 1));
        return fs.readText(path, maxBytes);
      },
    },
    clock: createManualClock(),
    roots: () => [{ path: folder, name: 'work' }],
    report: (diagnostic) => reports.push(diagnostic),
    ...options,
  });
  const find = (query: string, limit = 10, signal = new AbortController().signal) =>
    search.search(query, { limit, signal });
  const labels = async (query: string): Promise<string[]> =>
    (await find(query)).map((hit) => hit.label).sort();
  return { find, labels };
}

describe('createMarkdownSearch: hits', () => {
  it('gives path, label, lines, headings and text of a passage', async () => {
    write('docs/setup.md', '# Setup\n\n## Keys\n\nPut the secret key here.\n');
    const [hit] = await searchIn().find('secret key');
    expect(hit).toMatchObject({
      path: join(folder, 'docs', 'setup.md'),
      label: 'docs/setup.md',
      startLine: 3,
      endLine: 5,
      headings: ['Setup', 'Keys'],
      text: '## Keys\n\nPut the secret key here.',
    });
    expect(hit?.score).toBeGreaterThan(0);
  });

  it('finds a file by its name', async () => {
    write('docs/deployment.md', 'nothing of note');
    expect(await searchIn().labels('deployment')).toEqual(['docs/deployment.md']);
  });

  it('searches every root, and names it where there are several', async () => {
    write('a/x.md', 'alpha');
    write('b/x.md', 'alpha');
    const roots = ['a', 'b'].map((name) => ({ name, path: join(folder, name) }));
    expect(await searchIn({ roots: () => roots }).labels('alpha')).toEqual(['a/x.md', 'b/x.md']);
  });

  it('takes a file under two roots once', async () => {
    write('a/x.md', 'alpha');
    const roots = [
      { name: 'inner', path: join(folder, 'a') },
      { name: 'outer', path: folder },
    ];
    expect(await searchIn({ roots: () => roots }).labels('alpha')).toEqual(['inner/x.md']);
  });

  it('finds nothing without a folder', async () => {
    expect(await searchIn({ roots: () => [] }).find('alpha')).toEqual([]);
  });
});

describe('createMarkdownSearch: which files', () => {
  it('leaves out packages, build output and hidden folders, but not .pincer', async () => {
    for (const path of [
      'a.md',
      'B.MD',
      '.pincer/c.md',
      'x/node_modules/d.md',
      'dist/e.md',
      '.git/f.md',
      '.x/g.md',
      'h.txt',
    ]) {
      write(path, 'alpha');
    }
    expect(await searchIn().labels('alpha')).toEqual(['.pincer/c.md', 'B.MD', 'a.md']);
  });

  it.skipIf(process.platform === 'win32')('follows no links', async () => {
    write('out/a.md', 'alpha');
    mkdirSync(join(folder, 'in'));
    symlinkSync(join(folder, 'out'), join(folder, 'in', 'folder'));
    symlinkSync(join(folder, 'out', 'a.md'), join(folder, 'in', 'file.md'));
    expect(await searchIn({ roots: () => [{ path: join(folder, 'in'), name: 'in' }] }).find('alpha')).toEqual(
      [],
    );
  });

  it('leaves out a file that is too large, and says so once', async () => {
    write('big.md', 'alpha '.repeat(50));
    const { find } = searchIn({ maxFileBytes: 100 });
    expect(await find('alpha')).toEqual([]);
    await find('alpha');
    expect(reports).toMatchObject([{ code: 'search_file_left_out', source: join(folder, 'big.md') }]);
    expect(reads).toEqual([]);
  });

  it('stops at the limit of files, those near the top first, and says so once', async () => {
    for (const path of ['deep/er/c.md', 'a.md', 'z.md']) write(path, 'alpha');
    const { find, labels } = searchIn({ maxFiles: 2 });
    expect(await labels('alpha')).toEqual(['a.md', 'z.md']);
    await find('alpha');
    expect(reports).toMatchObject([{ code: 'search_too_many_files' }]);
  });

  it('goes on without a root that is not there, and says so', async () => {
    write('a.md', 'alpha');
    const roots = [
      { path: join(folder, 'gone'), name: 'gone' },
      { path: folder, name: 'work' },
    ];
    expect(await searchIn({ roots: () => roots }).labels('alpha')).toEqual(['work/a.md']);
    expect(reports).toMatchObject([{ code: 'search_folder_unreadable' }]);
  });
});

describe('createMarkdownSearch: changes', () => {
  it('reads again only what changed', async () => {
    write('a.md', 'alpha');
    write('b.md', 'beta');
    const { labels } = searchIn();
    await labels('x');
    expect(reads.sort()).toEqual(['a.md', 'b.md']);
    reads = [];
    write('b.md', 'alpha at last');
    expect(await labels('alpha')).toEqual(['a.md', 'b.md']);
    expect(await labels('beta')).toEqual([]);
    expect(reads).toEqual(['b.md']);
  });

  it('sees a change of the same size by its time', async () => {
    write('a.md', 'alpha');
    const { labels } = searchIn();
    await labels('x');
    write('a.md', 'betas');
    utimesSync(join(folder, 'a.md'), 1, 1);
    expect(await labels('betas')).toEqual(['a.md']);
  });

  it('forgets a file that is gone, and a root that was removed', async () => {
    write('a/x.md', 'alpha');
    write('b/x.md', 'alpha');
    let roots = [
      { path: join(folder, 'a'), name: 'a' },
      { path: join(folder, 'b'), name: 'b' },
    ];
    const { labels } = searchIn({ roots: () => roots });
    expect(await labels('alpha')).toHaveLength(2);
    rmSync(join(folder, 'a', 'x.md'));
    expect(await labels('alpha')).toEqual(['b/x.md']);
    roots = [{ path: join(folder, 'a'), name: 'a' }];
    expect(await labels('alpha')).toEqual([]);
  });

  it('indexes each file once when two searches run at the same time', async () => {
    write('a.md', 'alpha');
    const { find } = searchIn();
    const both = await Promise.all([find('alpha'), find('alpha')]);
    expect(both.map((hits) => hits.length)).toEqual([1, 1]);
    expect(reads).toEqual(['a.md']);
  });
});

describe('createMarkdownSearch: manners', () => {
  it('stops when it is cancelled, and the next search is complete', async () => {
    for (let n = 0; n < 40; n += 1) write(`${n}.md`, `# ${n}\n\nalpha\n\n# more\n\nalpha`);
    const abort = new AbortController();
    let indexed = 0;
    const clock = {
      ...createManualClock(),
      monotonic: () => ((indexed += 1) === 21 ? (abort.abort(), 0) : 0),
    };
    const { find } = searchIn({ clock });
    await expect(find('alpha', 100, abort.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(await find('alpha', 100)).toHaveLength(80);
  });

  it('lets other work run while it indexes', async () => {
    write('big.md', '# Heading\n\nalpha beta gamma\n\n'.repeat(20_000));
    let turns = 0;
    let running = true;
    const count = (): void => {
      turns += 1;
      if (running) setImmediate(count);
    };
    const search = searchIn({ clock: systemClock });
    const found = search.find('alpha');
    setImmediate(count);
    await found;
    running = false;
    expect(turns).toBeGreaterThan(10);
  });
});
