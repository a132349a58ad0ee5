import { programName } from './programName.ts';

/** What a `*` or `**` of the allow list never stands for: it must be spelled out. */
interface Risky {
  /** Long options without dashes; an abbreviation counts as all that it may mean. */
  readonly long?: string;
  /** Letters of short options, also within `-abc`. */
  readonly short?: string;
  /** Anything else, matched against the whole word. */
  readonly words?: RegExp;
}

const git: Risky = {
  long: 'config-env exec-path exec output ext-diff textconv git-dir work-tree namespace upload-pack receive-pack paginate help open-files-in-pager no-index template core-hookspath gpg-sign editor extcmd tool filter to-command remote',
  short: 'cCOopux',
  words: /^ext::/u,
};

const packages: Risky = {
  long: 'prefix script-shell shell userconfig globalconfig workspace workspaces include-workspace-root node-options git editor viewer browser registry dir cwd config call package init-module location global',
  short: 'CwcpgF',
};

const scripts: Risky = {
  long: 'eval print require import loader experimental-loader env-file inspect inspect-brk run exec command config build watch test',
  short: 'ceEprRImMnix',
};

/** Programs whose options run other programs, write files, or take their orders from another place. */
const risky: Readonly<Record<string, Risky>> = {
  git,
  npm: packages,
  pnpm: packages,
  yarn: packages,
  bun: { ...packages, ...scripts },
  deno: scripts,
  node: scripts,
  python: scripts,
  python3: scripts,
  ruby: scripts,
  perl: scripts,
  php: scripts,
  find: { words: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/u },
  fd: { long: 'exec exec-batch', short: 'xX' },
  rg: { long: 'pre pre-glob hostname-bin search-zip', short: 'z' },
  sort: { long: 'output compress-program files0-from temporary-directory', short: 'oT' },
  tree: { short: 'oR' },
  tar: {
    long: 'to-command checkpoint-action use-compress-program info-script new-volume-script rsh-command rmt-command extract get',
    short: 'IFxC',
    words: /^[a-zA-Z]*x[a-zA-Z]*$/u,
  },
  zip: { long: 'test unzip-command', short: 'T' },
  rsync: { long: 'rsh rsync-path', short: 'e' },
  curl: {
    long: 'output output-dir remote-name remote-name-all config upload-file dump-header cookie-jar trace trace-ascii stderr libcurl form data data-binary data-raw data-urlencode json proxy engine',
    short: 'oOKTDcFdxE',
    words: /@/u,
  },
  wget: {
    long: 'output-document output-file append-output config execute use-askpass post-file post-data body-file input-file directory-prefix',
    short: 'OoaeiP',
  },
  make: { long: 'file makefile directory eval include-dir', short: 'fCEI', words: /=/u },
  cargo: { long: 'config manifest-path', short: 'CZ' },
  go: {
    long: 'exec toolexec overlay modfile',
    words: /^-{1,2}(?:exec|toolexec|overlay|modfile|C|o)(?:=|$)/u,
  },
  docker: { long: 'volume mount privileged device host config context entrypoint', short: 'vHc' },
  gh: { long: 'hostname' },
  man: { long: 'pager html preprocessor', short: 'PHp' },
  less: { short: 'okOK', words: /^\+/u },
  date: { long: 'set file', short: 'sf' },
};

/** Programs that do nothing but run what their arguments say: no star covers one of their arguments. */
export const runners: ReadonlySet<string> = new Set(
  `ash awk bash busybox builtin chroot cmd command csh dash doas doit ed emacs env eval exec expect fish flock gawk gdb
  ionice ksh mawk nawk nice nohup npx bunx parallel pkexec powershell pwsh runuser screen script sed setsid sh ssh
  start-process stdbuf strace su sudo systemd-run tclsh time timeout tmux toybox unshare uvx vi vim watch wsl xargs zsh`.split(
    /\s+/u,
  ),
);

/** True where a star of the allow list may stand for `word` as an argument of `program`. */
export function starMayCover(program: string, word: string): boolean {
  const name = programName(program);
  if (runners.has(name)) return false;
  const rules = Object.hasOwn(risky, name) ? risky[name] : undefined;
  if (rules === undefined) return true;
  if (rules.words?.test(word) === true) return false;
  if (word.startsWith('--')) return !meansLong(rules.long ?? '', word.slice(2));
  if (!word.startsWith('-')) return true;
  const letters = /^-([^=]*)/u.exec(word)?.[1] ?? '';
  return !Array.from(rules.short ?? '').some((letter) => letters.includes(letter));
}

function meansLong(options: string, written: string): boolean {
  const name = written.split('=', 1)[0] ?? '';
  return name !== '' && options.split(' ').some((option) => option !== '' && option.startsWith(name));
}
