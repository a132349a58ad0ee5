import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import type { FileSettings } from './fileTree.ts';
import { findFileAt, findMemoryFiles } from './findMemoryFiles.ts';

const fs = createNodeFileSystem();
const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gitignore-')));
  execFileSync('git', ['init', '--quiet', root], { env });
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const piece = fc.constantFrom(
  ...['a', 'b', 'ab', 'A', '*', '*', '?', '[ab]', '[!a]', '[a-b]', '[]a]', '[[:alpha:]]', '\\a', '\\*'],
  ...['[', ']', '!', '#', ' ', '-', '.md', '[^b-z]', '[[:upper:]-]', '{a,b}', '\\/'],
);
// Stars beside other characters count as one here: git reads `a**/b` in a way of its own (parseIgnoreFile.ts).
const name = fc.array(piece, { minLength: 1, maxLength: 3 }).map((all) => all.join('').replace(/\*+/gu, '*'));
const segment = fc.oneof({ weight: 5, arbitrary: name }, fc.constantFrom('**', '***', '*'));
const line = fc
  .record({
    start: fc.constantFrom('', '', '', '!', '!', '/', '!/', '#', '\\'),
    segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom('', '', '', '/', ' ', '\\ ', '\r', '//'),
  })
  .map(({ start, segments, end }) => start + segments.join('/') + end);
const ignoreFile = fc.array(line, { minLength: 1, maxLength: 6 }).map((all) => all.join('\n'));
const fileName = fc.constantFrom(
  'a',
  'b',
  'ab',
  'A',
  'aa',
  'b.md',
  'a b',
  'a ',
  '*',
  '#',
  '!',
  ']',
  '-',
  '{a,b}',
);
const folder = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'A', 'd'), { maxLength: 3 })
  .map((all) => all.join('/'));

const tree = fc.record({
  files: fc.array(fc.tuple(folder, fileName), { minLength: 5, maxLength: 30 }),
  ignores: fc.array(fc.tuple(folder, ignoreFile), { minLength: 1, maxLength: 4 }),
  info: fc.oneof(fc.constant(''), ignoreFile),
});

it(
  'takes the files that git does not ignore, for any tree and any .gitignore',
  { timeout: 120_000 },
  async () => {
    const settings: FileSettings = {
      roots: [{ path: root, name: 'w', exclude: ['.gitignore', '**/.gitignore'] }],
      include: ['**'],
      exclude: [],
      extraPaths: [],
      sources: ['memory'],
      sessionsFolder: join(root, 'none'),
    };
    const context = { fs, platform: 'linux', settings, stateFolders: [] } as const;
    const pace = {
      maxFiles: 1_000,
      signal: new AbortController().signal,
      yieldToEventLoop: () => Promise.resolve(),
    };

    await fc.assert(
      fc.asyncProperty(tree, async ({ files, ignores, info }) => {
        for (const entry of readdirSync(root)) {
          if (entry !== '.git') rmSync(join(root, entry), { recursive: true });
        }
        writeFileSync(join(root, '.git/info/exclude'), info);
        for (const [at, text] of ignores) put(join(root, at, '.gitignore'), text);
        for (const [at, each] of files) put(join(root, at, each), 'x');
        const byGit = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '-z'], {
          cwd: root,
          env,
        })
          .toString()
          .split('\0')
          .filter((path) => path !== '' && !path.endsWith('.gitignore'));

        const found = await findMemoryFiles({ ...context, ...pace });
        expect(found.files.map((file) => file.label).sort()).toEqual(byGit.sort());
        for (const [at, each] of files.slice(0, 5)) {
          const path = join(root, at, each);
          const inWalk = found.files.find((file) => file.path === path);
          expect(await findFileAt(context, path)).toEqual(inWalk);
        }
      }),
      { numRuns: 60 },
    );
  },
);

/** A name that is a folder already stays one. */
function put(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    expect(['EISDIR', 'EEXIST', 'ENOTDIR']).toContain((error as NodeJS.ErrnoException).code);
  }
}
