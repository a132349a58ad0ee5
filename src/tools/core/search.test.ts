import { testCall, testRun } from '../../../test/builders/callContexts.ts';
import { link, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestWorkspace,
  textOf,
  type TestWorkspace,
} from '../../../test/samples/tools/createTestWorkspace.ts';
import type { Params } from '../../contracts/jsonTypes.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createTestWorkspace();
  await workspace.put('proj/README.md', '# Hello\nThe quick fox\n');
  await workspace.put('proj/src/a.ts', 'const fox = 1;\nconst dog = 2;\n');
  await workspace.put('proj/src/deep/b.ts', 'let Fox;\n');
  await workspace.put('proj/.git/config', 'fox\n');
  await workspace.put('proj/node_modules/x/index.js', 'fox\n');
  await workspace.put('proj/.env', 'FOX_KEY=fox\n');
  await workspace.put('outside.txt', 'fox\n');
});
afterEach(() => workspace.remove());

async function call(name: string, params: Params): Promise<string> {
  return textOf((await workspace.call(name, params)).result);
}

describe('ls', () => {
  test('lists a folder with folders and links marked', async () => {
    await symlink('src', join(workspace.root, 'link'));
    expect(await call('ls', {})).toBe('.env\n.git/\nREADME.md\nlink (link)\nnode_modules/\nsrc/');
    expect(await call('ls', { path: 'src' })).toBe('a.ts\ndeep/');
  });

  test('says what is missing where it is too long', async () => {
    for (let at = 0; at < 1_005; at += 1) await workspace.put(`proj/many/${String(at).padStart(4, '0')}`, '');
    expect(await call('ls', { path: 'many' })).toContain('[5 more of 1005 entries.');
  });

  test('a file and a missing folder say so, an empty one too', async () => {
    await expect(call('ls', { path: 'README.md' })).rejects.toMatchObject({ code: 'path_not_a_folder' });
    await mkdir(join(workspace.root, 'none'));
    expect(await call('ls', { path: 'none' })).toBe('[The folder is empty.]');
    await expect(call('ls', { path: 'scr' })).rejects.toMatchObject({
      hint: expect.stringContaining('src') as string,
    });
  });
});

describe('glob', () => {
  test.each([
    ['*.ts', undefined, 'src/a.ts\nsrc/deep/b.ts'],
    ['src/*.ts', undefined, 'src/a.ts'],
    ['*.ts', 'src/deep', 'src/deep/b.ts'],
    ['deep/*', 'src', 'src/deep/b.ts'],
    ['*.js', undefined, 'No file matches.'],
    ['*.js', 'node_modules', 'node_modules/x/index.js'],
  ])('%s in %s', async (pattern, path, expected) => {
    expect(await call('glob', { pattern, ...(path === undefined ? {} : { path }) })).toBe(expected);
  });

  test('does not follow links', async () => {
    await symlink('..', join(workspace.root, 'up'));
    await symlink('.', join(workspace.root, 'self'));
    expect(await call('glob', { pattern: '**/*.txt' })).toBe('No file matches.');
  });

  test('stops at a thousand files and says so', async () => {
    for (let at = 0; at < 1_002; at += 1) await workspace.put(`proj/m/${at}.x`, '');
    const found = await call('glob', { pattern: '*.x' });
    expect(found).toContain('[Only the first 1000 files. Narrow the pattern or give a path.]');
  });
});

describe('grep', () => {
  test('gives path, line and text, and leaves out secrets and what is no work of the user', async () => {
    expect(await call('grep', { pattern: 'fox' })).toBe(
      'README.md:2: The quick fox\nsrc/a.ts:1: const fox = 1;\n[Left out: 1 file (may hold secrets).]',
    );
  });

  test('searches without case, literally, in one file, and by name', async () => {
    expect(await call('grep', { pattern: 'FOX', ignoreCase: true, glob: '*.ts' })).toBe(
      'src/a.ts:1: const fox = 1;\nsrc/deep/b.ts:1: let Fox;',
    );
    await workspace.put('proj/regex.txt', 'a.b\naxb\n');
    expect(await call('grep', { pattern: 'a.b', literal: true })).toContain('regex.txt:1: a.b');
    expect(await call('grep', { pattern: 'a.b', literal: true })).not.toContain('axb');
    expect(await call('grep', { pattern: 'const', path: 'src/a.ts' })).toBe(
      'src/a.ts:1: const fox = 1;\nsrc/a.ts:2: const dog = 2;',
    );
  });

  test('a file with secrets that is named itself is read, since the pipeline asks before', async () => {
    const { effects, result } = await workspace.call('grep', { pattern: 'KEY', path: '.env' });
    expect(effects).toEqual([{ kind: 'read', path: join(workspace.root, '.env') }]);
    expect(textOf(result)).toBe('.env:1: FOX_KEY=fox');
  });

  test('leaves out binary files, large ones and those with a second name, and says how many', async () => {
    await workspace.put('proj/a.bin', new Uint8Array([0x66, 0x6f, 0x78, 0]));
    await workspace.put('proj/big.txt', 'fox\n'.repeat(500_001));
    await link(join(workspace.folder, 'outside.txt'), join(workspace.root, 'hard.txt'));
    expect(await call('grep', { pattern: 'fox', glob: '*.{txt,bin}' })).toBe(
      'No line matches.\n[Left out: 1 file (no UTF-8 text), 1 file (stored under a second name), 1 file (too large).]',
    );
  });

  test('shows a long line around the hit', async () => {
    await workspace.put('proj/min.js', `${'x'.repeat(1_000)}needle${'y'.repeat(1_000)}`);
    const found = await call('grep', { pattern: 'needle', glob: '*.js' });
    expect(found).toMatch(/^min\.js:1: …x+needley+…$/u);
    expect(found.length).toBeLessThan(400);
  });

  test('caps the hits and says so', async () => {
    await workspace.put('proj/many.txt', 'hit\n'.repeat(500));
    const found = await call('grep', { pattern: 'hit', glob: '*.txt' });
    expect(found.split('\n')).toHaveLength(201);
    expect(found).toContain('[Only the first 200 hits. Narrow the pattern, path or glob.]');
  });

  test('explains an expression that is none, and takes escapes that only lenient engines know', async () => {
    await expect(call('grep', { pattern: 'foo(' })).rejects.toMatchObject({
      code: 'grep_pattern_invalid',
      hint: expect.stringContaining('literal') as string,
    });
    await workspace.put('proj/dash.txt', 'a-b\n');
    expect(await call('grep', { pattern: 'a\\-b', path: 'dash.txt' })).toBe('dash.txt:1: a-b');
  });

  test('stops an expression that would take for ever', async () => {
    await workspace.put('proj/evil.txt', `${'a'.repeat(60)}!\n`);
    await expect(call('grep', { pattern: '(a+)+$' })).rejects.toMatchObject({ code: 'grep_pattern_slow' });
  });
});

test('with several folders all are searched, and the labels lead back', async () => {
  const both = await createTestWorkspace({ roots: ['app', 'lib'] });
  try {
    await both.put('app/a.md', 'fox');
    await both.put('lib/b.md', 'fox');
    expect(textOf((await both.call('ls', {})).result)).toBe('app:\na.md\n\nlib:\nb.md');
    expect(textOf((await both.call('glob', { pattern: '*.md' })).result)).toBe('app/a.md\nlib/b.md');
    expect(textOf((await both.call('grep', { pattern: 'fox' })).result)).toBe(
      'app/a.md:1: fox\nlib/b.md:1: fox',
    );
    expect(textOf((await both.call('read', { path: 'lib/b.md' })).result)).toBe('fox');
  } finally {
    await both.remove();
  }
});

test('without a folder every tool says that none is open', async () => {
  const none = await createTestWorkspace({ roots: [] });
  try {
    for (const [name, params] of [
      ['ls', {}],
      ['glob', { pattern: '*' }],
      ['grep', { pattern: 'x' }],
      ['read', { path: 'a' }],
      ['write', { path: 'a', content: '' }],
    ] as const) {
      await expect(none.call(name, params)).rejects.toMatchObject({ code: 'no_workspace' });
    }
  } finally {
    await none.remove();
  }
});

test('a search stops when it is cancelled', async () => {
  const { createGrepTool } = await import('./grep.ts');
  const controller = new AbortController();
  const prepared = await createGrepTool(workspace.deps).prepare(testCall(controller.signal), {
    pattern: 'fox',
  });
  controller.abort();
  await expect(prepared.run(testRun(controller.signal))).rejects.toMatchObject({ code: 'cancelled' });
});
