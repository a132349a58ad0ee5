import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decideCommand } from '../../../src/shell/decideCommand.ts';
import { harmlessCommands } from '../../../src/shell/harmlessCommands.ts';
import { createExecWorld, type ExecWorld } from '../../builders/createExecWorld.ts';
import { hostileRepositories, makePlace, type HostilePlace } from './hostileRepositories.ts';
import { hasRun, isRunByGit, isRunUnasked } from './tryRepository.ts';

const examples = Object.values(harmlessCommands).map(({ example }) => example);
let folder: string;
let place: HostilePlace;
let world: ExecWorld;
async function openPlace(): Promise<void> {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-unasked-')));
  place = await makePlace(folder);
  world = await createExecWorld({ layout: () => ({ roots: [place.root], platform: process.platform }) });
}
async function closePlace(): Promise<void> {
  await world.close();
  await rm(folder, { recursive: true });
}

/** For tests that run what they judge, and for those that lay files. */
function eachInItsOwnPlace(): void {
  beforeEach(openPlace);
  afterEach(closePlace);
}

/** For tests that only judge: that changes nothing. */
function allInOnePlace(lay?: () => Promise<void>): void {
  beforeAll(async () => {
    await openPlace();
    await lay?.();
  });
  afterAll(closePlace);
}

/** Whether a line would run without a question, and why not. */
async function judge(command: string): Promise<{ readonly isAllowed: boolean; readonly reason: string }> {
  const { effects } = await world.prepare('exec', { command });
  const [effect] = effects;
  if (effect?.kind !== 'execute') throw new Error('It is no command.');
  return { isAllowed: effect.verdict === 'allowed', reason: effect.reason };
}

/** Runs it where nobody needs to be asked. */
async function runUnasked(command: string): Promise<void> {
  if ((await judge(command)).isAllowed) await world.call('exec', { command });
}

describe('in a repository of whoever made it', () => {
  it.each(Object.entries(hostileRepositories))(
    '%s is not run by what needs no question',
    async (_name, { make }) => {
      expect(await isRunUnasked(make)).toBe(false);
    },
  );

  it.each(
    Object.entries(hostileRepositories).flatMap(([name, { make, proof }]) =>
      proof === undefined ? [] : [[name, make, proof] as const],
    ),
  )('%s runs where Git is left alone', async (_name, make, proof) => {
    expect(await isRunByGit(make, proof)).toBe(true);
  });
});

describe('each command that needs no question is judged so', () => {
  allInOnePlace(async () => {
    await place.write('data.json', '{}\n');
    await place.write('b.ts', 'export const b = 1;\n');
    await place.write('a.ts', 'export const a = 1;\n');
  });
  // What is not a program: without a shell nobody answers it.
  const ofShell = new Set(['command -v node']);

  it.each(examples.filter((each) => !ofShell.has(each)))('%s', async (command) => {
    expect(await judge(command)).toMatchObject({ isAllowed: true });
  });
});

describe('each command that needs no question', () => {
  eachInItsOwnPlace();

  it('comes from the machine, never from a folder of the workspace that is on PATH', async () => {
    const bin = join(place.root, 'node_modules', '.bin');
    const programs = new Set(
      examples.flatMap((each) => each.split(/ (?:\| )?/u)).filter((word) => /^[a-z0-9+]+$/u.test(word)),
    );
    await mkdir(bin, { recursive: true });
    for (const program of programs) {
      await writeFile(join(bin, program), `#!/bin/sh\n: > '${place.canary}.ran'\n`);
      await chmod(join(bin, program), 0o755);
    }
    const { layout } = { layout: () => ({ roots: [place.root], platform: process.platform }) };
    const path = `${bin}:${process.env['PATH'] ?? ''}`;
    const hostile = await createExecWorld({ layout, baseEnv: () => ({ PATH: path }) });
    try {
      for (const command of examples) {
        const { effects } = await hostile.prepare('exec', { command });
        const [effect] = effects;
        if (effect?.kind === 'execute' && effect.verdict === 'allowed')
          await hostile.call('exec', { command });
      }
      expect(hasRun(place)).toBe(false);
    } finally {
      await hostile.close();
    }
  });

  it('asks where a version manager lets a file of the workspace choose what runs', async () => {
    const shims = join(folder, 'shims');
    await mkdir(shims);
    await writeFile(join(shims, 'cargo'), `#!/bin/sh\n: > '${place.canary}.ran'\n`);
    await chmod(join(shims, 'cargo'), 0o755);
    const layout = () => ({ roots: [place.root], platform: process.platform });
    const managed = await createExecWorld({
      layout,
      baseEnv: () => ({ PATH: `${shims}:${process.env['PATH'] ?? ''}` }),
    });
    try {
      const verdict = async (): Promise<unknown> =>
        (await managed.prepare('exec', { command: 'cargo --version' })).effects[0];
      expect(await verdict()).toMatchObject({ verdict: 'allowed' });
      const files = `rust-toolchain.toml .php-version .perl-version .swift-version .sdkmanrc package.json .config/mise.toml`;
      for (const file of files.split(' ')) {
        await place.write(file, '');
        expect([file, await verdict()]).toMatchObject([
          file,
          { verdict: 'ask', reason: expect.stringContaining(file) as string },
        ]);
        await rm(join(place.root, file));
      }
      expect(await verdict()).toMatchObject({ verdict: 'allowed' });
    } finally {
      await managed.close();
    }
  });

  it('starts nothing that package managers are told to by files of the workspace', async () => {
    const script = join(place.root, 'run.js');
    await writeFile(
      script,
      `require('node:fs').writeFileSync(${JSON.stringify(`${place.canary}.ran`)}, '');\n`,
    );
    await place.write(
      'package.json',
      '{"name":"boat","packageManager":"yarn@9.9.9","scripts":{"prels":"node run.js"}}\n',
    );
    const keys = [
      'script-shell',
      'node-options',
      'git',
      'editor',
      'viewer',
      'prefix',
      'init-module',
      'shell',
      'onload-script',
    ];
    const values = keys.map((key) => `${key}=${key === 'node-options' ? `--require ${script}` : script}`);
    await place.write(
      '.npmrc',
      `${values.join('\n')}\nregistry=http://127.0.0.1:9/\nlogs-dir=${place.root}/logs\n`,
    );
    await place.write('.yarnrc', `yarn-path "${script}"\n`);
    for (const command of examples.filter((each) => /^(?:npm|pnpm|yarn|node) /u.test(each)))
      await runUnasked(command);
    expect(hasRun(place)).toBe(false);
    expect(existsSync(join(place.root, 'logs'))).toBe(false);
    await place.write('.yarnrc.yml', 'plugins: [./run.js]\n');
    expect(await judge('yarn --version')).toMatchObject({
      isAllowed: false,
      reason: expect.stringContaining('.yarnrc.yml') as string,
    });
  });
});

describe('what shows a file that `read` asks about asks, too', () => {
  allInOnePlace(async () => {
    await place.write('.env', 'KEY=hunter2\n');
    place.git('add', '--force', '.env');
    place.git('commit', '--quiet', '--message=oops');
    await place.write('.env', 'KEY=hunter3\n');
    await place.write('src/a.ts', 'export const a = 2;\n');
    await writeFile(join(folder, 'outside.txt'), 'secret\n');
    await symlink(join(folder, 'outside.txt'), join(place.root, 'link.txt'));
    await symlink('.env', join(place.root, 'harmless.txt'));
    await place.write('list', '.env\n');
    place.git('tag', 'secretblob', place.git('rev-parse', 'HEAD:.env').trim());
  });

  it.each([
    'cat .env',
    'cat src/../.env',
    'head -1 README.md .env',
    'cat .e*',
    'cat ./.??*',
    'cat harmless.txt',
    'cat link.txt',
    'cat *.txt',
    'cat ../outside.txt',
    'cat /etc/passwd',
    'cat ~/.profile',
    'cat .[[:alpha:]]nv',
    'cat .e[[=n=]]v',
    'cat .[a-f]nv',
    'strings @list',
    "awk '{print}' -F .env",
    'head README.md -n .env',
    'git show --all',
    'git show --tags',
    'git show secretblob',
    'git show --stat secretblob',
    'git show -s secretblob',
    'git show secretblob^{}',
    'git diff secretblob HEAD:src/a.ts',
    'git grep KEY secretblob',
    'wc -c .env',
    'grep KEY .env',
    'grep -r KEY .',
    'grep -r KEY',
    'grep -rn KEY src .',
    'rg --hidden KEY',
    'rg -u KEY .',
    "awk '{print}' .env",
    'sort .env',
    'diff .env README.md',
    'jq . .env',
    'sha256sum .env',
    'git diff',
    'git diff HEAD',
    'git diff .env',
    'git diff -- .',
    'git diff HEAD~1 HEAD',
    'git diff HEAD~1..HEAD -- .',
    'git show',
    'git show HEAD',
    'git show HEAD:.env',
    'git show :.env',
    'git show HEAD -- .env',
    'git log -p',
    'git log -p -1',
    'git diff --stat -p',
    'git diff --name-only -U5',
    'git diff --check HEAD~1',
    'git show --stat --patch',
    'git show -s -p',
    'rg --hidden KEY src .git',
    'rg -g .git/config url',
    'diff . src',
    'git log --patch --all',
    'git grep KEY',
    'git grep -n KEY HEAD',
    'git blame .env',
    'git -C src diff',
    'git -C src show HEAD:.env',
  ])('%s', async (command) => {
    expect(await judge(command)).toMatchObject({ isAllowed: false });
  });

  it('also where a file is named by what it holds', async () => {
    const blob = place.git('rev-parse', 'HEAD:.env').trim();
    const empty = place.git('hash-object', '-w', '--stdin').trim();
    for (const command of [
      `git show ${blob}`,
      `git diff ${empty} ${blob}`,
      `git grep KEY ${blob}`,
      `git cat-file -p ${blob}`,
      `git log -p ${blob}`,
    ])
      expect(await judge(command), command).toMatchObject({ isAllowed: false });
  });

  it.each([
    'git diff --stat',
    'git diff src',
    'git diff HEAD -- src/a.ts',
    'git show --stat HEAD',
    'git log --oneline',
    'git show HEAD:README.md',
    'git grep const -- src',
    'grep -rn const src',
    'rg KEY .',
    'git -C src status',
    'cat src/a.ts README.md',
    'cat *.md',
    'ls -la',
    'cd src && git status && cat a.ts | wc -l',
    "find . -name '.env'",
  ])('but not: %s', async (command) => {
    expect(await judge(command)).toMatchObject({ isAllowed: true });
  });
});

describe('what shows a secret file under its later name asks', () => {
  allInOnePlace(async () => {
    await place.write('.env', `KEY=hunter2\n${'LINE\n'.repeat(9)}`);
    place.git('add', '--force', '.env');
    place.git('commit', '--quiet', '--message=oops');
    place.git('mv', '.env', 'notes.txt');
    await place.write('notes.txt', `KEY=none\n${'LINE\n'.repeat(9)}`);
    place.git('commit', '--quiet', '--all', '--message=renamed');
  });

  it.each([
    'git diff -M HEAD~1 HEAD',
    'git diff --find-renames HEAD~1',
    'git diff --diff-filter=R HEAD~1 HEAD',
    'git diff -M -S none HEAD~1 HEAD',
    'git show -M HEAD',
    'git show --diff-filter=R HEAD',
    'git log -p -M --diff-filter=R',
    'git log -p --follow notes.txt',
  ])('%s', async (command) => {
    expect(await judge(command)).toMatchObject({ isAllowed: false });
  });
});

describe('what Git reads in a folder of the workspace lies in the workspace', () => {
  eachInItsOwnPlace();
  /** A private repository beside the workspace. */
  async function layPrivate(): Promise<string> {
    const other = join(folder, 'private');
    await mkdir(other);
    place.git('init', '--quiet', other);
    await writeFile(join(other, 'plan.txt'), 'secret\n');
    place.git('-C', other, 'add', '.');
    place.git('-C', other, 'commit', '--quiet', '--message=plan');
    return other;
  }

  it.each([
    [
      'a file names it',
      async (other: string) => {
        await rm(join(place.root, '.git'), { recursive: true });
        await place.write('.git', `gitdir: ${other}/.git\n`);
      },
    ],
    [
      'a link leads to it',
      async (other: string) => {
        await rm(join(place.root, '.git'), { recursive: true });
        await symlink(join(other, '.git'), join(place.root, '.git'));
      },
    ],
    ['it is shared', async (other: string) => await place.write('.git/commondir', `${other}/.git\n`)],
    [
      'it is shared by what says itself that it is a worktree',
      async (other: string) => {
        await rename(join(place.root, '.git'), join(place.root, 'store'));
        await place.write('.git', 'gitdir: store\n');
        await place.write('store/gitdir', `${place.root}/.git\n`);
        await place.write('store/commondir', `${other}/.git\n`);
      },
    ],
    [
      'its objects are borrowed',
      async (other: string) => await place.write('.git/objects/info/alternates', `${other}/.git/objects\n`),
    ],
    [
      'its names are linked',
      async (other: string) => {
        await rm(join(place.root, '.git', 'refs'), { recursive: true });
        await symlink(join(other, '.git', 'refs'), join(place.root, '.git', 'refs'));
      },
    ],
  ])('asks where %s', async (_name, lay) => {
    await lay(await layPrivate());
    for (const command of ['git log -p', 'git show HEAD:plan.txt', 'git status'])
      expect(await judge(command), command).toMatchObject({ isAllowed: false });
  });

  it('asks nothing in a worktree whose repository lies elsewhere', async () => {
    const other = await layPrivate();
    const root = join(folder, 'tree');
    place.git('-C', other, 'worktree', 'add', '--quiet', root);
    const inTree = await createExecWorld({ layout: () => ({ roots: [root], platform: process.platform }) });
    try {
      const { effects } = await inTree.prepare('exec', { command: 'git log -p' });
      expect(effects[0]).toMatchObject({ verdict: 'allowed' });
    } finally {
      await inTree.close();
    }
  });

  it('asks where a line of the config goes on, behind which a section may only seem to begin', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'README.md'), 'secret\n');
    const config = place.git('config', '--list', '--local').length;
    expect(config).toBeGreaterThan(0);
    await place.write(
      '.git/config',
      `[core]\n\tbare = false\n\tsshcommand = x \\\n[branch "y"]\n\tworktree = ${outside}\n`,
    );
    expect(place.git('config', 'core.worktree').trim()).toBe(outside);
    expect(await judge('git diff')).toMatchObject({ isAllowed: false });
  });

  it('names the whole key that may run a program', async () => {
    place.git('config', 'filter.x.clean', place.canary);
    expect((await judge('git status')).reason).toContain('filter.x.clean');
  });
});

it('rg is told to leave out names with a dot in front, which an ignore file may name, but where they are asked for', () => {
  const argvOf = (line: string): readonly string[] | undefined => {
    const decision = decideCommand(line, { shell: 'bash', allow: ['rg'], deny: [] });
    return 'unasked' in decision ? decision.unasked.steps[0]?.pipeline[0].argv : undefined;
  };
  expect(argvOf('rg -n KEY src')).toEqual(['rg', '--glob=!.*', '-n', 'KEY', 'src']);
  expect(argvOf('rg --hidden KEY')).toEqual(['rg', '--hidden', 'KEY']);
});

describe('what npm writes', () => {
  eachInItsOwnPlace();

  it('stays in its own folders, whatever .npmrc says', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await place.write('.npmrc', `timing=true\nlogs-dir=${outside}\ncache=${outside}/cache\n`);
    for (const command of ['npm ls', 'npm root', 'npm prefix']) await runUnasked(command);
    expect(await readdir(outside)).toEqual([]);
  });
});

describe('what does more than read asks', () => {
  allInOnePlace();

  it.each([
    'sort -o README.md src/a.ts',
    'sort --output=README.md src/a.ts',
    'sort --compress-program=./x src/a.ts',
    'uniq src/a.ts README.md',
    'date -s 2020-01-01',
    'date 010100002020',
    'tree -o README.md',
    'awk \'BEGIN{system("id")}\'',
    'awk \'{print > "README.md"}\' src/a.ts',
    'awk \'{"id" | getline; print}\' src/a.ts',
    'awk \'BEGIN{ARGV[1]="/etc/passwd";ARGC=2}{print}\'',
    'awk \'function f(a){a[1]="/etc/passwd"}BEGIN{f(SYMTAB["AR" "GV"])}{print}\'',
    'awk -f x.awk src/a.ts',
    'awk -i inplace 1 src/a.ts',
    'find . -delete',
    'find . -exec rm x ;',
    'find . -fprintf README.md x',
    'find / -name x',
    'fd -x rm',
    'fd a --exec rm',
    'rg --pre ./x foo',
    'rg --hostname-bin ./x foo',
    'rg -z foo',
    'grep -f x README.md',
    'grep -R foo .',
    // A shell reads the line, so that `.git` is not left out.
    'ls *.md && grep -rn url .',
    'wc --files0-from=x',
    'file -f x',
    'file -C -m x',
    'jq env',
    'jq -n $ENV',
    'jq \'import "a" as a; .\' src/a.ts',
    'jq -f x src/a.ts',
    'ls ..',
    'ls /etc',
    'ls ~',
    'cd .. && ls',
    'cd src; ls',
    'cd src || ls',
    'cd - && ls',
    'cd ~ && ls',
    'cd && ls',
    'cd src && cat ../.env',
    'env',
    'hostname x',
    'git log --format=%G?',
    'git log --pretty=format:%GK',
    'git log --output=x',
    'git diff --output=x',
    'git diff --ext-diff',
    'git diff --textconv',
    'git diff --no-index a b',
    'git show --textconv',
    'git show --show-signature',
    'git branch x',
    'git branch -D main',
    'git branch --sort=signature',
    'git branch --list --sort=-signature:grade',
    'git branch --merged main x',
    'git tag -l --sort=signature',
    'git for-each-ref --sort=signature',
    'sed -n 1,20p src/a.ts -i',
    "sed -n '1e id' src/a.ts",
    "sed -n 'w README.md' src/a.ts",
    'git tag x',
    'git tag -d x',
    'git tag -l --format=%(signature)',
    'git remote add x y',
    'git stash',
    'git stash drop',
    'git worktree add x',
    'git reflog expire --all',
    'git reflog delete HEAD@{0}',
    'git symbolic-ref HEAD refs/heads/x',
    'git grep -O foo',
    'git grep --open-files-in-pager=./x foo',
    'git ls-files --recurse-submodules',
    'git describe --dirty',
    'git -c core.pager=x log',
    'git -C .. status',
    'git --git-dir=x status',
    'git --exec-path=x status',
    'git -p log',
    'git status --ignore-submodules=none',
    'git rev-parse --parseopt',
    'npm ls --prefix x',
    'npm version',
    'node -v -e 1',
    'node --version x.js',
  ])('%s', async (command) => {
    expect(await judge(command)).toMatchObject({ isAllowed: false });
  });
});
