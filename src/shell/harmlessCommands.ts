// Threat: a command that only reads by its words writes a file, runs a program or shows a secret by an option, by an operand, or by
// what files of the workspace tell it. So each row names all that its command may be given; whatever is not named asks.

/** A command that may run without a question. */
export interface HarmlessCommand {
  /** What it does, as the end of "it …". */
  readonly does: string;
  /**
   * What options it may have, parted by blanks: `-n`, `--all`, with a value `-n=number`, `--format=text`, with one that may be
   * missing `--color[=text]`, a number itself as `-NUM`. Kinds of values: `text`, `number`, `format` (Git's, none that runs gpg), `file`
   * (its text may show), or the words that are allowed (`a|b`). `any`: whatever there is.
   */
  readonly options?: string;
  /**
   * What else it may be given, in this order, the last one again and again behind a `*`: `text`, `awk`, `sed` or `jq` (a script that only prints), `file` whose
   * text it shows, `name` of a file or folder about which it shows facts, `rev` (a
   * revision, or a file of the repository), `shown` (the same, whose text it shows), `time` (a format of `date`), `target` (of make).
   */
  readonly operands?: string;
  /** There where it may read folders whole. */
  readonly recursion?: Recursion;
  /** The files of the workspace that it obeys, and what keeps them from running anything. */
  readonly obeys?: ConfigDrivenTool;
  /** Git commands that show the text of files by themselves. */
  readonly shows?: ShownFiles;
  /** Options that it gets where nobody was asked, parted by blanks. */
  readonly adds?: string;
  /** A line that uses it. Tests run each in hostile workspaces. */
  readonly example: string;
}

/** Who reads files of the workspace before it does its work. */
type ConfigDrivenTool = keyof typeof configDrivenTools;

/** How a command reads all files below a folder. */
export interface Recursion {
  /** It does with one of these options only; else always. Parted by blanks. */
  readonly with?: string;
  /** The options that it gets where nobody was asked and it does not read all of them. Parted by blanks. */
  readonly adds?: string;
  /** True where those leave out `.git`, whatever else it is given. */
  readonly isWithoutGit?: true;
  /** It leaves out names with a dot in front, but with one of these options. Parted by blanks. */
  readonly unhides?: string;
}

/** Which files a command shows can be asked by running it with other options. */
export interface ShownFiles {
  /** It shows their text with one of these. Parted by blanks. */
  readonly with?: string;
  /** Without any of those it does so all the same, unless there is one of these; absent where it never does. */
  readonly unless?: string;
  /** The words that make it list their names instead, each ended by a NUL; parted by blanks. */
  readonly list: string;
  /** The options that are left out then. Parted by blanks. */
  readonly drop?: string;
}

/** Files of a workspace that a program reads before it does its work, and what keeps them from running anything. */
interface ObeyedFiles {
  readonly files: string;
  readonly answer: string;
  /** Variables that switch off what the files could start. */
  readonly variables: Readonly<Record<string, string>>;
  /** It asks where one of these lies in the folder it runs in, or above it. */
  readonly asksFor?: readonly string[];
}

export const configDrivenTools = {
  git: {
    files: '.git (a folder, or a file that names one) with its config and hooks; .gitattributes, .gitmodules',
    answer:
      'monitor, hooks, pager, signatures, lazy fetches and optional writes are switched off by variables, external diffs, text conversion and submodules by options; asks where the config has anything else that may run a program',
    variables: { GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' },
  },
  npm: {
    files: '.npmrc, package.json',
    answer:
      'update check, log files and network are switched off by variables, which also name where the cache is',
    variables: {
      npm_config_update_notifier: 'false',
      npm_config_logs_max: '0',
      npm_config_timing: 'false',
      npm_config_cache: '~/.npm',
      npm_config_logs_dir: '~/.npm/_logs',
      npm_config_offline: 'true',
    },
  },
  pnpm: {
    files: '.npmrc, package.json',
    answer: 'no other version is loaded, by variables',
    variables: {
      npm_config_manage_package_manager_versions: 'false',
      COREPACK_ENABLE_PROJECT_SPEC: '0',
      COREPACK_ENABLE_NETWORK: '0',
    },
  },
  yarn: {
    files: '.yarnrc.yml, .yarnrc, package.json',
    answer: 'no other version is loaded, by variables; asks where .yarnrc.yml may name plugins',
    variables: { YARN_IGNORE_PATH: '1', COREPACK_ENABLE_PROJECT_SPEC: '0', COREPACK_ENABLE_NETWORK: '0' },
    asksFor: ['.yarnrc.yml'],
  },
  go: {
    files: 'go.mod, go.work',
    answer: 'no other toolchain is loaded, by a variable',
    variables: { GOTOOLCHAIN: 'local' },
  },
} as const satisfies Readonly<Record<string, ObeyedFiles>>;

/** What Git's own config says in every unasked run, whatever the repository's says. */
export const gitOverrides: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  // `false` stands in for the programs that check signatures.
  'gpg.program': 'false',
  'gpg.openpgp.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.x509.program': 'false',
  // A merge that is made again to show it would run drivers of the config.
  'log.diffMerges': 'separate',
  'log.showSignature': 'false',
  'stash.showPatch': 'false',
  'protocol.ext.allow': 'never',
  'safe.bareRepository': 'explicit',
};

const diffOptions =
  '-w -b -M -R -p -u --patch --ignore-all-space --ignore-space-change --ignore-blank-lines -U=number --unified=number --find-renames --no-renames --word-diff[=color|plain|porcelain|none] --minimal --patience --histogram --diff-filter=text -S=text -G=text --pickaxe-regex --no-color --color[=always|never|auto] --no-ext-diff --no-textconv --relative --full-index --abbrev[=number] -z --no-prefix';
const summaries = '--stat --shortstat --numstat --name-only --name-status --summary --quiet --raw --dirstat';
/** Which revisions: all that some names stand for. */
const manyRevisions = '--all --branches --tags --remotes';
const historyOptions =
  '--oneline --graph --decorate[=short|full|auto|no] --no-decorate --reverse --merges --no-merges --first-parent --follow -s --no-patch --date=text --pretty[=format] --format=format --abbrev-commit --no-abbrev-commit --since=text --until=text --after=text --before=text --author=text --committer=text --grep=text -i --regexp-ignore-case --invert-grep -n=number -NUM --max-count=number --skip=number --date-order --topo-order --left-right --cherry-pick --no-walk --boundary --full-history --simplify-by-decoration --no-notes --source';

/** No program of the config prepares what is shown. */
const plainDiff = '--no-ext-diff --no-textconv --submodule=short';
/** What is dirty in a submodule is found by a Git that runs there, under the submodule's own config. */
const noSubmodules = '--ignore-submodules=dirty';
/** What shows a patch beside a summary, too. */
const patches = '-p -u --patch -U --unified --word-diff --check';
/** What leaves files out, or counts one that was renamed as none of its own. */
const selecting = '-M --find-renames --no-renames --diff-filter -S -G --pickaxe-regex';
const dropped = `${summaries} -p -u --patch -U --unified --word-diff --color --exit-code --check -z -s --no-patch --relative --oneline --graph --pretty --format --decorate ${selecting}`;

/** Git lists, and makes nothing, where one of these has a revision behind it. */
function listsByRevision(command: string, options: string): Readonly<Record<string, HarmlessCommand>> {
  const names = ['--merged', '--no-merged', '--contains', '--no-contains'].map(
    (name) => `${command} ${name}`,
  );
  const row = (name: string): HarmlessCommand => {
    return { does: 'it only lists', options, operands: 'rev', obeys: 'git', example: `${name} HEAD` };
  };
  return Object.fromEntries(names.map((name) => [name, row(name)]));
}

const rows = {
  // Where one is, and what there is.
  pwd: { does: 'it names the current folder', options: '-L -P', example: 'pwd' },
  ls: { does: 'it only lists names', options: 'any', operands: 'name*', example: 'ls -la' },
  tree: {
    does: 'it only lists names',
    options:
      '-L=number -a -d -f -h -s -p -D -F -C -n -i -r -t -I=text -P=text --dirsfirst --noreport --gitignore --prune --filelimit=number --du --si',
    operands: 'name*',
    example: 'tree -L 2',
  },
  find: {
    does: 'it only lists names',
    options:
      '-name=text -iname=text -path=text -ipath=text -wholename=text -regex=text -iregex=text -regextype=text -type=text -maxdepth=number -mindepth=number -size=text -mtime=text -mmin=text -ctime=text -cmin=text -atime=text -amin=text -perm=text -user=text -group=text -newer=name -empty -executable -readable -writable -not -o -or -a -and -true -false -print -print0 -prune -quit -depth -mount -xdev -daystart -links=text',
    operands: 'name*',
    example: "find . -name '*.ts'",
  },
  fd: {
    does: 'it only lists names',
    options:
      '-H -I -e=text -t=text -d=number -E=text -a -p -g -s -i -F -u -0 --hidden --no-ignore --extension=text --type=text --max-depth=number --exclude=text --absolute-path --full-path --glob --case-sensitive --ignore-case --fixed-strings --color=text --max-results=number -1',
    operands: 'text name*',
    example: 'fd a.ts',
  },
  stat: {
    does: 'it shows facts about files',
    options: '-c=text --format=text -t -f',
    operands: 'name*',
    example: 'stat a.ts',
  },
  file: {
    does: 'it tells kinds of files',
    options: '-b -i -h -L --brief --mime --mime-type --mime-encoding',
    operands: 'name*',
    example: 'file a.ts',
  },
  du: {
    does: 'it adds up sizes',
    options:
      '-s -h -a -c -d=number -k -m -b -x --summarize --human-readable --max-depth=number --apparent-size --exclude=text --total',
    operands: 'name*',
    example: 'du -sh .',
  },
  df: {
    does: 'it shows free space',
    options: '-h -H -k -m -T -i -a -P',
    operands: 'name*',
    example: 'df -h',
  },
  test: {
    does: 'it only compares',
    options: '-f=name -d=name -e=name -s=name -r=name -w=name -x=name -L=name -h=name -n=text -z=text',
    operands: '',
    example: 'test -f README.md',
  },
  basename: {
    does: 'it cuts a text',
    options: '-a -s=text -z',
    operands: 'text*',
    example: 'basename a/b.ts .ts',
  },
  dirname: { does: 'it cuts a text', options: '-z', operands: 'text*', example: 'dirname a/b' },
  realpath: {
    does: 'it names where a path leads',
    options: '-e -m -s -q -L -P -z --relative-to=name --relative-base=name',
    operands: 'name*',
    example: 'realpath a.ts',
  },
  readlink: {
    does: 'it names where a path leads',
    options: '-f -e -m -n -q -s -z',
    operands: 'name*',
    example: 'readlink -f a.ts',
  },
  'command -v': { does: 'it names the file of a program', operands: 'text*', example: 'command -v node' },
  which: { does: 'it names the file of a program', options: '-a', operands: 'text*', example: 'which node' },

  // Texts of files.
  cat: {
    does: 'it shows files',
    options: '-n -b -s -A -E -T -v -e -t -u --number --number-nonblank --squeeze-blank --show-all',
    operands: 'file*',
    example: 'cat a.ts',
  },
  tac: { does: 'it shows files', operands: 'file*', example: 'tac a.ts' },
  nl: {
    does: 'it shows files',
    options: '-b=text -n=text -w=number -s=text',
    operands: 'file*',
    example: 'nl a.ts',
  },
  head: {
    does: 'it shows files',
    options: '-n=text -c=text -q -v -NUM --lines=text --bytes=text',
    operands: 'file*',
    example: 'head -20 README.md',
  },
  tail: {
    does: 'it shows files',
    options: '-n=text -c=text -q -v -NUM --lines=text --bytes=text',
    operands: 'file*',
    example: 'tail -20 README.md',
  },
  wc: {
    does: 'it counts',
    options: '-l -w -c -m -L --lines --words --bytes --chars',
    operands: 'file*',
    example: 'wc -l a.ts',
  },
  grep: {
    does: 'it shows lines of files',
    options:
      '-n -i -v -w -x -c -l -L -o -q -s -h -H -E -F -G -P -a -I -r -A=number -B=number -C=number -NUM -m=number -e=text --line-number --ignore-case --invert-match --word-regexp --count --files-with-matches --files-without-match --only-matching --extended-regexp --fixed-strings --perl-regexp --recursive --include=text --exclude=text --exclude-dir=text --color[=text] --colour[=text] --no-messages --with-filename --no-filename --after-context=number --before-context=number --context=number --max-count=number --regexp=text --text',
    operands: 'text file*',
    recursion: { with: '-r --recursive', adds: '--exclude-dir=.git', isWithoutGit: true },
    example: 'grep -n foo a.ts',
  },
  rg: {
    does: 'it shows lines of files',
    options:
      '-n -N -i -S -s -v -w -x -c -l -o -q -H -I -F -P -U -u -a -NUM -A=number -B=number -C=number -m=number -e=text -g=text -t=text -T=text -d=number -r=text --files --line-number --no-line-number --ignore-case --smart-case --case-sensitive --invert-match --word-regexp --count --count-matches --files-with-matches --files-without-match --only-matching --fixed-strings --pcre2 --multiline --hidden --no-ignore --no-config --glob=text --iglob=text --type=text --type-not=text --max-depth=number --max-count=number --after-context=number --before-context=number --context=number --color=text --no-heading --heading --column --vimgrep --json --stats --sort=text --sortr=text --trim --regexp=text --type-list --no-filename --with-filename --max-columns=number --version',
    operands: 'text file*',
    // An ignore file may name what to search although its name begins with a dot.
    recursion: { adds: '--glob=!.*', unhides: '-u --hidden -g --glob --iglob' },
    example: 'rg -n foo .',
  },
  awk: {
    does: 'it shows parts of files',
    options: '-F=text -v=text',
    operands: 'awk file*',
    example: "awk '{print $1}' a.ts",
  },
  'sed -n': {
    does: 'it shows parts of files',
    options: '-E -r',
    operands: 'sed file*',
    example: "sed -n '1,20p' a.ts",
  },
  cut: {
    does: 'it shows parts of files',
    options: '-d=text -f=text -c=text -b=text -s --delimiter=text --fields=text --complement',
    operands: 'file*',
    example: 'cut -d : -f 1 a.ts',
  },
  sort: {
    does: 'it sorts lines',
    options:
      '-n -r -u -h -f -b -g -V -M -R -s -c -k=text -t=text --numeric-sort --reverse --unique --key=text',
    operands: 'file*',
    example: 'sort -u a.ts',
  },
  // A second operand would be written to.
  uniq: {
    does: 'it leaves out what is repeated',
    options: '-c -d -u -i -D -f=number -s=number -w=number --count --repeated --unique',
    operands: 'file',
    example: 'uniq a.ts',
  },
  tr: {
    does: 'it replaces characters',
    options: '-d -s -c -C -t',
    operands: 'text*',
    example: 'echo a | tr a b',
  },
  comm: {
    does: 'it compares files',
    options: '-1 -2 -3 -i --nocheck-order',
    operands: 'file*',
    example: 'comm a.ts b.ts',
  },
  cmp: {
    does: 'it compares files',
    options: '-s -l -b -n=number',
    operands: 'file*',
    example: 'cmp a.ts b.ts',
  },
  diff: {
    does: 'it compares files',
    options:
      '-u -c -q -s -y -w -b -B -i -a -N -U=number -C=number -W=number --brief --color[=text] --unified[=number] --side-by-side --ignore-all-space --suppress-common-lines',
    operands: 'file*',
    // Of two folders it compares the files of the same names.
    recursion: {},
    example: 'diff a.ts b.ts',
  },
  column: { does: 'it shows a table', options: '-t -s=text', operands: 'file*', example: 'column -t a.ts' },
  fold: { does: 'it breaks lines', options: '-w=number -s', operands: 'file*', example: 'fold -w 80 a.ts' },
  od: {
    does: 'it shows bytes',
    options: '-c -x -A=text -t=text -N=number -v',
    operands: 'file*',
    example: 'od -c a.ts',
  },
  hexdump: {
    does: 'it shows bytes',
    options: '-C -n=number -v',
    operands: 'file*',
    example: 'hexdump -C a.ts',
  },
  strings: {
    does: 'it shows parts of files',
    options: '-n=number -a',
    operands: 'file*',
    example: 'strings a.ts',
  },
  md5sum: { does: 'it adds up a file', operands: 'file*', example: 'md5sum a.ts' },
  sha1sum: { does: 'it adds up a file', operands: 'file*', example: 'sha1sum a.ts' },
  sha256sum: { does: 'it adds up a file', operands: 'file*', example: 'sha256sum a.ts' },
  jq: {
    does: 'it shows parts of files',
    options:
      '-r -c -S -e -s -n -M -C -j -a --raw-output --compact-output --sort-keys --slurp --null-input --exit-status --tab --indent=number',
    operands: 'jq file*',
    example: 'jq .name data.json',
  },

  // The machine.
  echo: { does: 'it says what it is given', options: 'any', operands: 'text*', example: 'echo hello' },
  printf: { does: 'it says what it is given', operands: 'text*', example: "printf '%s' hello" },
  true: { does: 'it does nothing', example: 'true' },
  false: { does: 'it does nothing', example: 'false' },
  seq: { does: 'it counts', options: '-w -s=text -f=text -NUM', operands: 'text*', example: 'seq 3' },
  date: {
    does: 'it tells the time',
    options:
      '-u -R -d=text -I[=date|hours|minutes|seconds|ns] --utc --iso-8601[=date|hours|minutes|seconds|ns] --rfc-3339=text --date=text -r=name',
    operands: 'time',
    example: 'date +%F',
  },
  uname: { does: 'it names the system', options: '-a -s -n -r -v -m -p -i -o', example: 'uname -a' },
  whoami: { does: 'it names the user', example: 'whoami' },
  groups: { does: 'it names the user', example: 'groups' },
  id: { does: 'it names the user', options: '-u -g -G -n -r', example: 'id -u' },
  hostname: { does: 'it names the machine', options: '-s -f', example: 'hostname' },
  arch: { does: 'it names the system', example: 'arch' },
  nproc: { does: 'it counts processors', options: '--all', example: 'nproc' },
  uptime: { does: 'it tells how long the machine runs', options: '-p -s', example: 'uptime' },
  free: { does: 'it shows free memory', options: '-h -m -g -k -b -t -w', example: 'free -h' },

  // Git.
  'git status': {
    does: 'it only reads',
    options:
      '-s --short -b --branch --show-stash --long -z --porcelain[=v1|v2] -u[=no|normal|all] --untracked-files[=no|normal|all] --ignored[=traditional|no|matching] --ignore-submodules[=dirty|all] --ahead-behind --no-ahead-behind --renames --no-renames --column[=text] --no-column',
    operands: 'rev*',
    obeys: 'git',
    adds: noSubmodules,
    example: 'git status -s -b',
  },
  'git diff': {
    does: 'it only reads',
    options: `${diffOptions} ${summaries} --cached --staged --merge-base --check --exit-code`,
    operands: 'shown*',
    obeys: 'git',
    adds: `${plainDiff} ${noSubmodules}`,
    shows: { with: patches, unless: summaries, list: 'diff --name-only --no-renames -z', drop: dropped },
    example: 'git diff HEAD',
  },
  'git log': {
    does: 'it only reads',
    options: `${historyOptions} ${manyRevisions} ${diffOptions} ${summaries} -g --walk-reflogs`,
    operands: 'shown*',
    obeys: 'git',
    adds: plainDiff,
    shows: {
      with: patches,
      list: 'log --name-only --no-renames --format= -z -m',
      drop: dropped,
    },
    example: 'git log --oneline -3',
  },
  'git show': {
    does: 'it only reads',
    // Not all of what some names stand for: that may be a file, which has no name to judge it by.
    options: `${historyOptions} ${diffOptions} ${summaries}`,
    operands: 'shown*',
    obeys: 'git',
    adds: plainDiff,
    // `log` takes no file for a revision, whose text `show` would list.
    shows: {
      with: patches,
      unless: `${summaries} -s --no-patch`,
      list: 'log --no-walk --name-only --no-renames --format= -z -m',
      drop: dropped,
    },
    example: 'git show HEAD',
  },
  'git blame': {
    does: 'it only reads',
    options:
      '-w -M -C -e -s -l -f -n -L=text --show-name --show-number --show-email --date=text --since=text --porcelain --line-porcelain --abbrev=number',
    operands: 'shown*',
    obeys: 'git',
    adds: '--no-textconv',
    example: 'git blame -- a.ts',
  },
  'git grep': {
    does: 'it only reads',
    options:
      '-n -i -v -w -l -L -c -h -H -E -F -G -P -I -p -W -q -A=number -B=number -C=number -NUM -e=text --cached --untracked --line-number --ignore-case --files-with-matches --count --extended-regexp --fixed-strings --perl-regexp --word-regexp --heading --break --no-color --color[=text] --and --or --not --all-match',
    operands: 'text shown*',
    obeys: 'git',
    adds: '--no-textconv --no-recurse-submodules',
    shows: { unless: '-l -L -c --count --files-with-matches -q', list: 'grep -l -z' },
    example: 'git grep foo',
  },
  'git branch': {
    does: 'without a name it only lists',
    options:
      '-a --all -r --remotes -v -vv --verbose --show-current --no-color --color[=text] --contains[=text] --no-contains[=text] --merged[=text] --no-merged[=text] --sort=format --points-at=text --column[=text]',
    obeys: 'git',
    example: 'git branch -vv',
  },
  ...listsByRevision('git branch', '-a --all -r --remotes -v -vv --verbose --no-color'),
  ...listsByRevision('git tag', '-n'),
  'git branch --list': {
    does: 'it only lists',
    options: '-a --all -r --remotes -v -vv --verbose --sort=format --format=format --no-color',
    operands: 'text*',
    obeys: 'git',
    example: "git branch --list 'feat/*'",
  },
  'git tag': {
    does: 'without a name it only lists',
    options: '--sort=format',
    obeys: 'git',
    example: 'git tag',
  },
  'git tag -l': {
    does: 'it only lists',
    options: '-n --sort=format --format=format --contains[=text] --points-at=text --merged[=text]',
    operands: 'text*',
    obeys: 'git',
    example: "git tag -l 'v1*'",
  },
  'git tag --list': {
    does: 'it only lists',
    options: '-n --sort=format --format=format --contains[=text] --points-at=text --merged[=text]',
    operands: 'text*',
    obeys: 'git',
    example: 'git tag --list',
  },
  'git remote': { does: 'it only lists', obeys: 'git', example: 'git remote' },
  'git remote -v': { does: 'it only lists', obeys: 'git', example: 'git remote -v' },
  'git remote get-url': {
    does: 'it names an address',
    options: '--all --push',
    operands: 'text',
    obeys: 'git',
    example: 'git remote get-url origin',
  },
  'git stash list': {
    does: 'it only lists',
    options: `${historyOptions} ${manyRevisions}`,
    obeys: 'git',
    example: 'git stash list',
  },
  'git stash show': {
    does: 'it only reads',
    options: `${diffOptions} ${summaries}`,
    operands: 'shown',
    obeys: 'git',
    adds: '--no-ext-diff --no-textconv',
    shows: {
      with: patches,
      list: 'stash show --name-only --no-renames -z',
      drop: dropped,
    },
    example: 'git stash show',
  },
  'git worktree list': {
    does: 'it only lists',
    options: '--porcelain -v --verbose -z',
    obeys: 'git',
    example: 'git worktree list',
  },
  'git ls-files': {
    does: 'it only lists names',
    options:
      '-c -o -m -d -s -i -u -z -t -v -x=text --cached --others --modified --deleted --stage --ignored --unmerged --exclude-standard --exclude=text --directory --no-empty-directory --full-name --error-unmatch --abbrev[=number] --eol',
    operands: 'rev*',
    obeys: 'git',
    example: 'git ls-files --others --exclude-standard',
  },
  'git ls-tree': {
    does: 'it only lists names',
    options: '-r -d -t -l -z --name-only --name-status --full-name --full-tree --abbrev[=number]',
    operands: 'rev*',
    obeys: 'git',
    example: 'git ls-tree HEAD',
  },
  'git rev-parse': {
    does: 'it only reads',
    options:
      '--short[=number] --verify -q --quiet --show-toplevel --abbrev-ref[=strict|loose] --show-prefix --show-cdup --is-inside-work-tree --is-inside-git-dir --is-bare-repository --git-dir --git-common-dir --symbolic --symbolic-full-name --all --branches --tags --remotes --absolute-git-dir --is-shallow-repository --git-path=text',
    operands: 'rev*',
    obeys: 'git',
    example: 'git rev-parse --short HEAD',
  },
  'git rev-list': {
    does: 'it only reads',
    options: `${historyOptions} ${manyRevisions} --count`,
    operands: 'rev*',
    obeys: 'git',
    example: 'git rev-list --count HEAD',
  },
  'git merge-base': {
    does: 'it only reads',
    options: '-a --all --octopus --independent --is-ancestor --fork-point',
    operands: 'rev*',
    obeys: 'git',
    example: 'git merge-base HEAD HEAD',
  },
  'git describe': {
    does: 'it only reads',
    options:
      '--tags --all --always --long --abbrev[=number] --match=text --exclude=text --contains --exact-match --first-parent',
    operands: 'rev*',
    obeys: 'git',
    example: 'git describe --always',
  },
  'git shortlog': {
    does: 'it only reads',
    options: '-s -n -e -c --summary --numbered --email --since=text --until=text --no-merges --all',
    operands: 'rev*',
    obeys: 'git',
    example: 'git shortlog -sn HEAD',
  },
  'git reflog': {
    does: 'it only reads',
    options: `${historyOptions} ${manyRevisions}`,
    obeys: 'git',
    example: 'git reflog',
  },
  'git reflog show': {
    does: 'it only reads',
    options: `${historyOptions} ${manyRevisions}`,
    operands: 'rev*',
    obeys: 'git',
    example: 'git reflog show HEAD',
  },
  'git check-ignore': {
    does: 'it tells what is ignored',
    options: '-v --verbose -q --quiet -n --non-matching',
    operands: 'name*',
    obeys: 'git',
    example: 'git check-ignore -v a.ts',
  },
  'git cat-file': {
    does: 'it only reads',
    options: '-t -s -e',
    operands: 'rev',
    obeys: 'git',
    example: 'git cat-file -t HEAD',
  },
  'git show-ref': {
    does: 'it only lists',
    options: '--heads --tags --head -s --hash[=number] --abbrev[=number] -d --verify -q',
    operands: 'text*',
    obeys: 'git',
    example: 'git show-ref',
  },
  'git for-each-ref': {
    does: 'it only lists',
    options:
      '--sort=format --count=number --format=format --contains[=text] --merged[=text] --points-at=text',
    operands: 'text*',
    obeys: 'git',
    example: 'git for-each-ref refs/heads',
  },
  'git symbolic-ref': {
    does: 'it only reads',
    options: '--short -q',
    operands: 'text',
    obeys: 'git',
    example: 'git symbolic-ref --short HEAD',
  },
  'git name-rev': {
    does: 'it only reads',
    options: '--name-only --tags --always --no-undefined',
    operands: 'rev*',
    obeys: 'git',
    example: 'git name-rev HEAD',
  },
  'git count-objects': {
    does: 'it only reads',
    options: '-v -H',
    obeys: 'git',
    example: 'git count-objects -v',
  },
  'git --version': { does: 'it names a version', example: 'git --version' },

  // Package managers.
  'npm ls': {
    does: 'it only lists names',
    options:
      '-a --all --depth=number --json --long -l --parseable -p --omit=dev|optional|peer --prod --production --link',
    operands: 'text*',
    obeys: 'npm',
    example: 'npm ls',
  },
  'npm list': {
    does: 'it only lists names',
    options:
      '-a --all --depth=number --json --long -l --parseable -p --omit=dev|optional|peer --prod --production --link',
    operands: 'text*',
    obeys: 'npm',
    example: 'npm list --depth=0',
  },
  'npm root': { does: 'it names a folder', obeys: 'npm', example: 'npm root' },
  'npm prefix': { does: 'it names a folder', obeys: 'npm', example: 'npm prefix' },
  'npm --version': { does: 'it names a version', obeys: 'npm', example: 'npm --version' },
  'npm -v': { does: 'it names a version', obeys: 'npm', example: 'npm -v' },
  'pnpm --version': { does: 'it names a version', obeys: 'pnpm', example: 'pnpm --version' },
  'pnpm -v': { does: 'it names a version', obeys: 'pnpm', example: 'pnpm -v' },
  'yarn --version': { does: 'it names a version', obeys: 'yarn', example: 'yarn --version' },
  'yarn -v': { does: 'it names a version', obeys: 'yarn', example: 'yarn -v' },
  'go version': { does: 'it names a version', obeys: 'go', example: 'go version' },
} as const satisfies Readonly<Record<string, HarmlessCommand>>;

/** Programs that answer `--version` before they look at any file of a project. */
const answersVersion =
  'node python python3 cargo rustc gcc g++ clang cc make cmake docker gh ruby gem perl php java javac swift deno bun curl wget jq rg fd grep sed awk bash zsh tar zip unzip rsync vim nano tree psql mysql redis-server ffmpeg ninja uv pip pip3 ruff';

/** How else they are asked for it. */
const shortVersion = {
  '-v': 'node ruby php perl make bun docker',
  '-V': 'python python3 cargo rustc bash make',
};

const versionLines = [
  ...answersVersion.split(' ').map((program) => `${program} --version`),
  ...Object.entries(shortVersion).flatMap(([word, programs]) =>
    programs.split(' ').map((program) => `${program} ${word}`),
  ),
];

const versionRows = Object.fromEntries(
  versionLines.map((line) => [line, { does: 'it names a version', example: line } satisfies HarmlessCommand]),
);

/** Every command that may run without a question, by its first words. What a project's own tool does is none. */
export const harmlessCommands: Readonly<Record<string, HarmlessCommand>> = { ...versionRows, ...rows };
