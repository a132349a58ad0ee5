import type { ShellKind } from './commandPlan.ts';

/** What the grammar reads of a shell's language. Whatever is not named here makes the line unread. */
export interface ShellSyntax {
  /** Characters of a bare word, each standing for itself wherever it is in the word. */
  readonly bare: RegExp;
  /** Bare words that mean something else in this shell. */
  readonly special?: RegExp;
  /** `;`, `&&`, `||`, `|`, quotes and redirections. */
  readonly hasOperators: boolean;
  /** A backslash before a blank or a sign, outside quotes and before `\ " $` and a backtick inside double ones. */
  readonly hasEscapes: boolean;
  /** `*`, `?`, `[…]` and a leading `~/`: words that only become file names. */
  readonly hasExpansions: boolean;
  /** Words in front that are no programs: keywords, and builtins that change what follows them. */
  readonly notPrograms: ReadonlySet<string>;
}

const words = (text: string): string[] => text.trim().split(/\s+/u);

const shared = words(`
  . : alias bg bind break builtin case cd command continue do done else eval exec exit export fg for function history if
  in jobs popd pushd read return select set source suspend then time times trap type ulimit umask unset wait while`);

const bashOnly = words(`
  ! { } [[ ]] ]] caller compgen complete compopt coproc declare dirs disown elif enable esac fc fi getopts hash let local
  logout mapfile readarray readonly shift shopt typeset unalias until`);

const zshOnly = words(`
  - autoload bindkey chdir compadd disable emulate end float foreach functions getln integer limit nocorrect noglob print
  private r rehash repeat sched setopt stat ttyctl unfunction unhash unlimit unsetopt vared whence where which zcompile
  zf_rm zle zmodload zparseopts zstyle`);

const fishOnly = words(`
  abbr and argparse begin block commandline contains count emit end fish_add_path funced functions math not or random
  set_color status string switch`);

const posixBare = /[\p{L}\p{N}\p{M}_./:@%+,=-]/u;

/** One row a shell. */
export const shellSyntax: Readonly<Record<ShellKind, ShellSyntax>> = {
  bash: {
    bare: posixBare,
    hasOperators: true,
    hasEscapes: true,
    hasExpansions: true,
    notPrograms: new Set([...shared, ...bashOnly]),
  },
  // Without file names: `*(e:"rm x":)` runs code, and `~name` and `=name` ask hooks. A leading `=` looks a command up.
  zsh: {
    bare: posixBare,
    special: /^=/u,
    hasOperators: true,
    hasEscapes: true,
    hasExpansions: false,
    notPrograms: new Set([...shared, ...bashOnly, ...zshOnly]),
  },
  // A backslash is an escape inside single quotes too, so that lines with one stay unread.
  fish: {
    bare: /[\p{L}\p{N}\p{M}_./:@+,=-]/u,
    hasOperators: true,
    hasEscapes: false,
    hasExpansions: false,
    notPrograms: new Set([...shared, ...bashOnly, ...fishOnly]),
  },
  // Plain words only. No colon: `env:` lists the variables. ASCII only: typographic quotes and dashes count as plain ones.
  // No `\\` or `//`: listing a network folder sends the user's password hash there.
  pwsh: {
    bare: /[A-Za-z0-9_./\\+=-]/u,
    special: /\\\\|\/\/|\\\/|\/\\/u,
    hasOperators: false,
    hasEscapes: false,
    hasExpansions: false,
    notPrograms: new Set(shared),
  },
  // `=`, `,` and `;` separate arguments; letters beyond ASCII may be mapped to ASCII ones.
  cmd: {
    bare: /[A-Za-z0-9_./\\-]/u,
    special: /\\\\|\/\/|\\\/|\/\\/u,
    hasOperators: false,
    hasEscapes: false,
    hasExpansions: false,
    notPrograms: new Set([
      ...shared,
      'call',
      'start',
      'setlocal',
      'endlocal',
      'goto',
      'path',
      'rem',
      'shift',
      'chdir',
    ]),
  },
};
