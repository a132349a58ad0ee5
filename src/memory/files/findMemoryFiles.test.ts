import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { findFileAt, findMemoryFiles, type FindOptions, type FindResult } from './findMemoryFiles.ts';
import type { FileSettings } from './fileTree.ts';

const fs = createNodeFileSystem();
let place: string;
let root: string;
/** Every file that the test has put into the root. */
let made: string[];

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'memory-find-')));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  root = join(place, 'app');
  await mkdir(root);
  made = [];
});

async function put(...paths: string[]): Promise<void> {
  for (const path of paths) await write(path, `# ${path}\n`);
}

async function write(path: string, text: string): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  made.push(file);
}

function settingsOf(some: Partial<FileSettings> = {}): FileSettings {
  return {
    roots: [{ path: root, name: 'app', exclude: [] }],
    include: ['**/*.md'],
    exclude: [],
    extraPaths: [],
    sources: ['memory'],
    sessionsFolder: join(place, 'sessions'),
    ...some,
  };
}

function find(some: Partial<FileSettings> = {}, options: Partial<FindOptions> = {}): Promise<FindResult> {
  return findMemoryFiles({
    fs,
    platform: 'linux',
    settings: settingsOf(some),
    stateFolders: [],
    maxFiles: 1_000,
    signal: new AbortController().signal,
    yieldToEventLoop: () => Promise.resolve(),
    ...options,
  });
}

/** The labels that a full scan finds; every one, and none besides, is found by its path alone, too. */
async function labels(
  some: Partial<FileSettings> = {},
  options: Partial<FindOptions> = {},
): Promise<string[]> {
  const { files } = await find(some, options);
  const context = {
    fs,
    platform: 'linux',
    settings: settingsOf(some),
    stateFolders: [],
    ...options,
  } as const;
  for (const file of files) expect(await findFileAt(context, file.path)).toEqual(file);
  const others = made.filter((path) => !files.some((file) => file.realPath === path));
  for (const path of others) expect(await findFileAt(context, path), path).toBeUndefined();
  return files.map((file) => file.label);
}

describe('findMemoryFiles', () => {
  it('finds markdown, that near the top first', async () => {
    await put('z/deep/er/d.md', 'b.md', 'a/c.md', 'code.ts', 'README.MD');
    expect(await labels()).toEqual(['README.MD', 'b.md', 'a/c.md', 'z/deep/er/d.md']);
  });

  it('tells size and time in whole milliseconds', async () => {
    await write('a.md', 'four');
    const [file] = (await find()).files;
    expect(file).toMatchObject({ bytes: 4, source: 'memory', path: join(root, 'a.md') });
    expect(Number.isInteger(file?.modified)).toBe(true);
  });

  it('enters no hidden folder but .pincer, and no installed package', async () => {
    await put(
      '.git/a.md',
      '.github/a.md',
      '.pincer/a.md',
      'node_modules/x/a.md',
      'x/node_modules/a.md',
      '._b.md',
    );
    expect(await labels()).toEqual(['.pincer/a.md']);
  });

  it('follows .gitignore, also nested ones, and does not look into ignored folders', async () => {
    await put('a.md', 'out/b.md', 'docs/c.md', 'docs/old/d.md', 'docs/keep.md', 'x/old/e.md');
    await write('.gitignore', 'out/\n!out/b.md\nkeep.md\n');
    await write('docs/.gitignore', '/old\n!keep.md\n');
    expect(await labels()).toEqual(['a.md', 'docs/c.md', 'docs/keep.md', 'x/old/e.md']);
  });

  it("follows the repository's own exclude file, which .gitignore overrules", async () => {
    await put('a.md', 'b.md');
    await write('.git/info/exclude', '*.md\n');
    await write('.gitignore', '!b.md\n!/nested\n');
    await put('nested/b.md', 'nested/c.txt');
    await write('nested/.git/info/exclude', 'c.txt');
    expect(await labels({ include: ['**/*.md', '**/*.txt'] })).toEqual(['b.md', 'nested/b.md']);
  });

  it("keeps the user's memory though .gitignore names it, and gives it up where the config excludes it", async () => {
    await put('MEMORY.md', 'memory/2026-02-15.md', 'memory/deep/a.md', 'memory/x.png', 'docs/memory/b.md');
    await write('.gitignore', 'MEMORY.md\nmemory/\n');
    await write('memory/deep/.gitignore', '*\n');
    const all = ['MEMORY.md', 'memory/2026-02-15.md', 'memory/deep/a.md'];
    expect(await labels()).toEqual(all);
    expect(await labels({ include: ['nothing'] })).toEqual(all);
    expect(await labels({ exclude: ['memory'] })).toEqual(['MEMORY.md']);
    expect(await labels({ exclude: ['MEMORY.md', 'memory/deep/**'] })).toEqual(['memory/2026-02-15.md']);
    const roots = [{ path: root, name: 'app', exclude: ['memory'] }];
    expect(await labels({ roots })).toEqual(['MEMORY.md']);
  });

  it('takes what include names, and excludes all below a folder that exclude names', async () => {
    await put('a.md', 'docs/b.md', 'docs/old/c.md', 'x/docs/d.md', 'docs/e.txt');
    expect(await labels({ include: ['docs/**/*.md', '*.txt'] })).toEqual([
      'docs/b.md',
      'docs/e.txt',
      'docs/old/c.md',
    ]);
    expect(await labels({ exclude: ['docs'] })).toEqual(['a.md']);
    expect(await labels({ exclude: ['docs/old'] })).toEqual(['a.md', 'docs/b.md', 'x/docs/d.md']);
  });

  it("takes markdown alone by a folder's own settings, whatever they include", async () => {
    await put('a.md', 'b.mdx', 'C.MARKDOWN', '.env', 'key.pem', 'dump.sql', 'notes.txt', 'readme');
    const roots = [{ path: root, name: 'app', include: ['**/*', '**/.*'], exclude: [] }];
    expect(await labels({ roots })).toEqual(['C.MARKDOWN', 'a.md', 'b.mdx']);
  });

  it("reads a root's own patterns as VS Code does: without a slash at the top alone", async () => {
    await put('docs/a.md', 'x/docs/b.md', 'x/out/c.md');
    const roots = [{ path: root, name: 'app', exclude: ['docs', '**/out'] }];
    expect(await labels({ roots })).toEqual(['x/docs/b.md']);
    expect(await labels({ roots: [{ ...roots[0]!, include: ['x/out/*'], exclude: [] }] })).toEqual([
      'x/out/c.md',
    ]);
  });

  it('goes on without a pattern that is none, and says so', async () => {
    await put('a.md');
    const result = await find({ exclude: ['../x'] });
    expect(result.files).toHaveLength(1);
    expect(result.problems[0]).toMatchObject({
      code: 'memory_pattern_invalid',
      hint: expect.any(String) as string,
    });
  });

  it('takes case as the platform does', async () => {
    await put('Docs/a.md', 'Memory/b.md');
    expect(await labels({ exclude: ['docs'] })).toEqual(['Docs/a.md', 'Memory/b.md']);
    await write('.gitignore', 'MEMORY\n');
    expect(
      (await find({ exclude: ['docs'] }, { platform: 'darwin' })).files.map((file) => file.label),
    ).toEqual(['Memory/b.md']);
  });

  it('follows no link inside a root, so that loops and files outside cost nothing', async () => {
    await put('a.md', 'docs/b.md');
    await writeFile(join(place, 'secret.md'), 'secret');
    await symlink(join(place, 'secret.md'), join(root, 'link.md'));
    await symlink(place, join(root, 'out'));
    await symlink(root, join(root, 'docs', 'loop'));
    expect(await labels()).toEqual(['a.md', 'docs/b.md']);
    const context = { fs, platform: 'linux', settings: settingsOf(), stateFolders: [] } as const;
    for (const path of [
      'link.md',
      'out/secret.md',
      'docs/loop/a.md',
      'out/app/a.md',
      '../secret.md',
      'docs',
      '',
    ]) {
      expect(await findFileAt(context, join(root, path)), path).toBeUndefined();
    }
  });

  it('takes a file with two names', async () => {
    await put('a.md');
    await link(join(root, 'a.md'), join(root, 'b.md'));
    expect(await labels()).toEqual(['a.md', 'b.md']);
  });

  it('takes no FIFO for a file', async () => {
    execFileSync('mkfifo', [join(root, 'pipe.md')]);
    expect(await labels()).toEqual([]);
  });

  it('opens a root that is a link, and calls its files as the user does', async () => {
    await put('a.md');
    await symlink(root, join(place, 'alias'));
    const roots = [{ path: join(place, 'alias'), name: 'app', exclude: [] }];
    expect((await find({ roots })).files[0]).toMatchObject({
      path: join(place, 'alias', 'a.md'),
      realPath: join(root, 'a.md'),
    });
    expect(await labels({ roots })).toEqual(['a.md']);
    expect(await labels({ roots: [...roots, { path: root, name: 'twice', exclude: [] }] })).toEqual([
      'app/a.md',
    ]);
  });

  it("puts the root's name before labels where there are several", async () => {
    await put('x/a.md', 'y/a.md');
    const roots = ['x', 'y'].map((name) => ({ path: join(root, name), name: 'same', exclude: [] }));
    expect(await labels({ roots })).toEqual(['same/a.md', `${join(root, 'y')}/a.md`]);
  });

  it('gives a file in two roots once, to the innermost, whose patterns decide', async () => {
    await put('a.md', 'pkg/b.md', 'pkg/out/c.md');
    const pkg = { path: join(root, 'pkg'), name: 'pkg', exclude: ['out'] };
    const app = { path: root, name: 'app', exclude: [] };
    for (const roots of [
      [app, pkg],
      [pkg, app],
    ]) {
      expect((await labels({ roots })).sort()).toEqual(['app/a.md', 'pkg/b.md']);
    }
  });

  it('takes the files and folders that the config names, wherever they lie', async () => {
    await put('a.md', '.hidden/b.md', 'ignored/c.md');
    await write('.gitignore', 'ignored\n');
    await mkdir(join(place, 'notes', '.obsidian'), { recursive: true });
    await writeFile(join(place, 'notes', 'n.md'), 'n');
    await writeFile(join(place, 'notes', '.obsidian', 'x.md'), 'x');
    await writeFile(join(place, 'one.txt'), 'one');
    await symlink(join(place, 'notes'), join(place, 'named-link'));
    const extraPaths = [
      join(root, '.hidden'),
      join(root, 'ignored', 'c.md'),
      join(place, 'named-link'),
      join(place, 'one.txt'),
      join(place, 'notes'),
    ];
    expect((await labels({ extraPaths })).sort()).toEqual([
      '.hidden/b.md',
      'a.md',
      'ignored/c.md',
      'named-link/n.md',
      'one.txt',
    ]);
  });

  it('gives a file that the config names twice once, to the innermost', async () => {
    await mkdir(join(place, 'notes', 'deep', 'er'), { recursive: true });
    for (const file of ['a.md', 'deep/b.md', 'deep/er/c.md', 'deep/one.md']) {
      await writeFile(join(place, 'notes', file), file);
    }
    const extraPaths = ['notes', 'notes/deep', 'notes/deep/one.md'].map((path) => join(place, path));
    const called = ['deep/b.md', 'deep/er/c.md', 'notes/a.md', 'one.md'];
    expect((await labels({ extraPaths })).sort()).toEqual(called);
    expect((await labels({ extraPaths: extraPaths.toReversed() })).sort()).toEqual(called);
  });

  it('calls what the config names by its path where its name is taken', async () => {
    await put('notes/a.md', 'one.md');
    await mkdir(join(place, 'notes'));
    for (const file of ['notes/a.md', 'one.md']) await writeFile(join(place, file), 'other');
    const extraPaths = ['notes', 'one.md'].map((name) => join(place, name));
    expect((await labels({ extraPaths })).sort()).toEqual(
      [`${place}/notes/a.md`, `${place}/one.md`, 'notes/a.md', 'one.md'].sort(),
    );
  });

  it("never enters Pincer's own folders", async () => {
    await put('a.md', 'state/b.md');
    expect(await labels({}, { stateFolders: [join(root, 'state'), join(place, 'none')] })).toEqual(['a.md']);
  });

  it('tells once of what is missing, and goes on', async () => {
    await put('a.md');
    const gone = { path: join(place, 'gone'), name: 'gone', exclude: [] };
    const result = await find({ roots: [...settingsOf().roots, gone], extraPaths: [join(place, 'none.md')] });
    expect(result.files.map((file) => file.label)).toEqual(['app/a.md']);
    expect(result.problems.map((problem) => [problem.code, problem.source])).toEqual([
      ['memory_root_missing', gone.path],
      ['memory_extra_path_missing', join(place, 'none.md')],
    ]);
  });

  it('tells once of all that it may not look at, and goes on', async () => {
    await put('a.md', 'x/b.md', 'y/c.md');
    const forbidden: FileSystem = {
      ...fs,
      readDirectory: (path) =>
        path === root
          ? fs.readDirectory(path)
          : Promise.reject(new PincerError('io_forbidden', `Could not list ${path}: EACCES`)),
    };
    const result = await find({}, { fs: forbidden });
    expect(result.files.map((file) => file.label)).toEqual(['a.md']);
    expect(result.problems).toEqual([
      expect.objectContaining({ code: 'memory_path_unreadable', source: join(root, 'x') }),
    ]);
    expect(result.problems[0]?.message).toContain('and 1 more');
  });

  it.each([
    ['too large', `*.md\n${'#'.repeat(300_000)}`],
    ['too costly', `*.md\n${`?*${'a'.repeat(120)}b\n`.repeat(2_000)}`],
  ])('goes on without a .gitignore that is %s, and says so', async (_, text) => {
    const names = ['1', '2', '3'].map((each) => `b/${'a'.repeat(240)}${each}.md`);
    await put(...names);
    await write('b/.gitignore', text);
    const result = await find();
    expect(result.files.map((file) => file.label)).toContain(names[2]);
    expect(result.problems).toMatchObject([
      { code: 'memory_ignore_file_unused', source: join(root, 'b', '.gitignore') },
    ]);
  });

  it('keeps those nearest to the top where there are too many', async () => {
    await put('a.md', 'x/b.md', 'x/y/c.md');
    const result = await find({}, { maxFiles: 2 });
    expect(result.files.map((file) => file.label)).toEqual(['a.md', 'x/b.md']);
    expect(result.problems.map((problem) => problem.code)).toEqual(['memory_too_many_files']);
  });

  it('leaves out what is gone or a link before it was measured', async () => {
    await put('a.md', 'b.md', 'c.md', 'x/d.md');
    const vanishing: FileSystem = {
      ...fs,
      lstat: async (path) => {
        if (/[bc]\.md$/u.test(path)) await rename(path, join(place, basename(path)));
        if (path.endsWith('c.md')) await symlink(join(place, 'c.md'), path);
        return await fs.lstat(path);
      },
      readDirectory: async (path) => {
        if (path.endsWith('x')) await rename(path, join(place, 'x'));
        return await fs.readDirectory(path);
      },
    };
    const result = await find({}, { fs: vanishing });
    expect([result.files.map((file) => file.label), result.problems]).toEqual([['a.md'], []]);
  });

  it('stops when it is cancelled', async () => {
    await put('a.md', 'x/b.md');
    const control = new AbortController();
    const yieldToEventLoop = (): Promise<void> => {
      control.abort();
      return Promise.resolve();
    };
    await expect(find({}, { signal: control.signal, yieldToEventLoop })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('finds transcripts where sessions are a source, and nothing else where they are the only one', async () => {
    await put('a.md');
    const id = '01234567-89ab-cdef-0123-456789abcdef';
    const folder = settingsOf().sessionsFolder;
    expect(await labels({ sources: ['sessions'] })).toEqual([]);
    await mkdir(folder);
    await writeFile(join(folder, `${id}.jsonl`), '{}');
    await writeFile(join(folder, 'other.jsonl'), '{}');
    await symlink(join(folder, 'other.jsonl'), join(folder, `${id.replace('0', '1')}.jsonl`));
    expect(await labels({ sources: ['sessions'] })).toEqual([`sessions/${id}.jsonl`]);
    expect(await labels({ sources: ['memory', 'sessions'] })).toEqual(['a.md', `sessions/${id}.jsonl`]);
    expect((await find({ sources: ['sessions'] })).files[0]?.source).toBe('sessions');
  });
});
