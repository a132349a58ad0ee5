import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A repository that would run `canary`, a program which leaves a file beside itself. */
export interface HostileRepository {
  /** Makes it in an empty folder. `git` runs Git there, as whoever made the repository would. */
  readonly make: (place: HostilePlace) => Promise<void>;
  /** A line that runs the canary where nothing guards it; without one Git as it is here runs it by none of the table's commands. */
  readonly proof?: string;
}

export interface HostilePlace {
  readonly root: string;
  /** Absolute path of the program. */
  readonly canary: string;
  readonly git: (...args: string[]) => string;
  readonly write: (path: string, text: string) => Promise<void>;
}

/** Takes every way in which Git starts a program of a repository's config; by what it is. */
export const hostileRepositories: Readonly<Record<string, HostileRepository>> = {
  'a monitor of the file system': {
    make: async ({ git, canary }) => void git('config', 'core.fsmonitor', canary),
    proof: 'git status',
  },
  'a filter that cleans files': {
    make: async ({ git, canary, write }) => {
      git('config', 'filter.x.clean', canary);
      await write('.gitattributes', '* filter=x\n');
      await write('src/a.ts', 'export const a = 2;\n');
    },
    proof: 'git diff',
  },
  'a filter that is a process': {
    make: async ({ git, canary, write }) => {
      git('config', 'filter.x.process', canary);
      await write('.gitattributes', '* filter=x\n');
      await write('src/a.ts', 'export const a = 3;\n');
    },
    proof: 'git diff',
  },
  'an external diff': {
    make: async ({ git, canary, write }) => {
      git('config', 'diff.external', canary);
      await write('src/a.ts', 'export const a = 2;\n');
    },
    proof: 'git diff',
  },
  'a diff driver': {
    make: async ({ git, canary, write }) => {
      git('config', 'diff.x.command', canary);
      await write('.gitattributes', '* diff=x\n');
      await write('src/a.ts', 'export const a = 2;\n');
    },
    proof: 'git diff',
  },
  'a text conversion': {
    make: async ({ git, canary, write }) => {
      git('config', 'diff.x.textconv', canary);
      await write('.gitattributes', '* diff=x\n');
      await write('src/a.ts', 'export const a = 2;\n');
    },
    proof: 'git show',
  },
  'a program that checks signatures': {
    make: async ({ git, canary }) => {
      git('config', 'log.showSignature', 'true');
      git('config', 'gpg.program', canary);
      signHead(git);
    },
    proof: 'git log',
  },
  'a format that checks signatures': {
    make: async ({ git, canary }) => {
      git('config', 'format.pretty', 'format:%G?');
      git('config', 'gpg.program', canary);
      signHead(git);
    },
    proof: 'git log',
  },
  'lists that are sorted by signatures': {
    make: async ({ git, canary }) => {
      signHead(git);
      git('branch', 'other');
      git('tag', 'v1');
      git('config', 'gpg.program', canary);
      git('config', 'branch.sort', 'signature');
      git('config', 'tag.sort', 'signature');
    },
  },
  'a merge that is made again to show it': {
    make: async ({ git, canary, write }) => {
      await write('.gitattributes', '* merge=x\n');
      git('checkout', '--quiet', '-b', 'other');
      await write('src/a.ts', 'export const a = 2;\n');
      git('commit', '--quiet', '--all', '--message=two');
      git('checkout', '--quiet', 'main');
      await write('src/a.ts', 'export const a = 3;\n');
      git('commit', '--quiet', '--all', '--message=three');
      git('merge', '--quiet', '--strategy=ours', '--message=both', 'other');
      git('add', '.gitattributes');
      git('commit', '--quiet', '--amend', '--no-edit');
      git('config', 'merge.x.driver', `${canary} %A`);
      git('config', 'log.diffMerges', 'remerge');
    },
    proof: 'git log -p -m',
  },
  'a hook': {
    make: async ({ root, canary, write, git }) => {
      await write('.git/hooks/post-index-change', `#!/bin/sh\n'${canary}'\n`);
      await chmod(join(root, '.git/hooks/post-index-change'), 0o755);
      git('config', 'core.hooksPath', join(root, '.git/hooks'));
      await write('src/a.ts', 'export const a = 1;\n');
    },
    proof: 'git status',
  },
  'a lazy fetch from an address that is a program': {
    make: async ({ git, canary, root }) => {
      const blob = git('rev-parse', 'HEAD:src/a.ts').trim();
      git('config', 'remote.origin.url', `ext::${canary}`);
      git('config', 'remote.origin.promisor', 'true');
      git('config', 'extensions.partialClone', 'origin');
      git('config', 'protocol.ext.allow', 'always');
      const object = join(root, '.git/objects', blob.slice(0, 2), blob.slice(2));
      await rename(object, join(root, '.git/gone'));
    },
    proof: 'git show',
  },
  'an included config': {
    make: async ({ git, canary, write }) => {
      await write('more.cfg', `[filter "x"]\n\tclean = ${canary}\n`);
      git('config', 'include.path', '../more.cfg');
      await write('.gitattributes', '* filter=x\n');
      await write('src/a.ts', 'export const a = 2;\n');
    },
    proof: 'git diff',
  },
  'a config of the worktree': {
    make: async ({ git, canary, write }) => {
      git('config', 'extensions.worktreeConfig', 'true');
      await write('.git/config.worktree', `[filter "x"]\n\tclean = ${canary}\n`);
      await write('.gitattributes', '* filter=x\n');
      await write('src/a.ts', 'export const a = 2;\n');
    },
    proof: 'git diff',
  },
  'a config in one line, under a section of another case': {
    make: async ({ write, root, canary }) => {
      await write('.git/config', `[CORE] bare = false\n[Filter "x"] Clean = ${canary}\n`);
      await write('.gitattributes', '* filter=x\n');
      await write(join('src', 'a.ts'), 'export const a = 2;\n');
      await mkdir(root, { recursive: true });
    },
    proof: 'git diff',
  },
  'a folder of Git elsewhere, which a file names': {
    make: async ({ root, write, git, canary }) => {
      git('config', 'filter.x.clean', canary);
      await rename(join(root, '.git'), join(root, 'store'));
      await write('.git', 'gitdir: store\n');
      await write('.gitattributes', '* filter=x\n');
      await write('src/a.ts', 'export const a = 2;\n');
    },
    proof: 'git diff',
  },
  'a submodule with a filter': {
    make: async (place) => {
      await nestRepository(place, 'sub');
      place.git('config', '-f', 'sub/.git/config', 'filter.x.clean', place.canary);
      await place.write('sub/.gitattributes', '* filter=x\n');
      await place.write('sub/b.ts', 'export const b = 2;\n');
    },
    proof: 'git status',
  },
  'a submodule with a monitor': {
    make: async (place) => {
      await nestRepository(place, 'sub');
      place.git('config', '-f', 'sub/.git/config', 'core.fsmonitor', place.canary);
    },
    proof: 'git status',
  },
  'a summary of submodules': {
    make: async (place) => {
      await nestRepository(place, 'sub');
      place.git('config', 'status.submoduleSummary', 'true');
      place.git('config', 'diff.submodule', 'diff');
      place.git('config', '-f', 'sub/.git/config', 'diff.external', place.canary);
      await place.write('sub/b.ts', 'export const b = 2;\n');
    },
  },
  'a filter of the user that obeys the repository': {
    make: async ({ git, canary, write }) => {
      git('config', 'lfs.extension.x.clean', canary);
      git('config', 'core.virtualFilesystem', canary);
      await write('.gitattributes', '* filter=lfs\n');
      await write('src/a.ts', 'export const a = 2;\n');
    },
  },
  'programs for the network, for editors and for credentials': {
    make: async ({ git, canary }) => {
      const keys =
        'core.sshCommand core.gitProxy core.editor core.askPass core.pager pager.log pager.diff sequence.editor credential.helper core.alternateRefsCommand uploadpack.packObjectsHook merge.x.driver gpg.ssh.program trailer.x.command browser.x.cmd man.x.cmd interactive.diffFilter sendemail.smtpServer alias.status alias.diff alias.log';
      for (const key of keys.split(' ')) git('config', key, key.startsWith('alias') ? `!${canary}` : canary);
    },
  },
};

/** Below the workspace, for lines that change into it. */
async function nestRepository({ root, git, write }: HostilePlace, name: string): Promise<void> {
  await write(`${name}/b.ts`, 'export const b = 1;\n');
  git('init', '--quiet', name);
  git('-C', name, 'add', '.');
  git('-C', name, 'commit', '--quiet', '--message=nested');
  await write('.gitmodules', `[submodule "${name}"]\n\tpath = ${name}\n\turl = ./${name}\n`);
  git('-c', 'advice.addEmbeddedRepo=false', 'add', '.gitmodules', name);
  git('commit', '--quiet', '--message=with a submodule');
  await mkdir(root, { recursive: true });
}

/** Gives the newest commit a signature: who checks it starts the program for that. */
function signHead(git: HostilePlace['git']): void {
  const commit = git('cat-file', 'commit', 'HEAD');
  const [head = '', ...message] = commit.split('\n\n');
  const signature =
    'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n -----END PGP SIGNATURE-----';
  const signed = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: git('rev-parse', '--show-toplevel').trim(),
    input: `${head}\n${signature}\n\n${message.join('\n\n')}`,
    encoding: 'utf8',
  });
  git('update-ref', 'HEAD', signed.trim());
}

/** A folder of a repository with one commit, and the program. */
export async function makePlace(folder: string): Promise<HostilePlace> {
  const root = join(folder, 'proj');
  const canary = join(folder, 'canary.sh');
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  await write('src/a.ts', 'export const a = 1;\n');
  await write('README.md', '# Boat\n');
  await writeFile(canary, `#!/bin/sh\n: > '${canary}.ran'\n`);
  await chmod(canary, 0o755);
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'u',
    GIT_AUTHOR_EMAIL: 'u@u',
    GIT_COMMITTER_NAME: 'u',
    GIT_COMMITTER_EMAIL: 'u@u',
  };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '--message=begin');
  return { root, canary, git, write };
}
