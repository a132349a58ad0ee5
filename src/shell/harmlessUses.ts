/** Further arguments that change nothing about what a command may do: it still only reads, and runs no other program. */
export interface HarmlessUse {
  /** Options as they are written, a value included; matched whole. */
  readonly options: RegExp;
  /** `any`: it may be shown whatever path. `inside`: only paths below the workdir, and revisions. */
  readonly operands: 'any' | 'inside' | 'none';
}

const history =
  /^(?:--oneline|--graph|--decorate|--all|--reverse|--merges|--no-merges|--first-parent|--follow|-s|--no-patch|--stat|--shortstat|--numstat|--name-only|--name-status|--no-color|--date=[a-z:-]+|--pretty=(?:oneline|short|medium|full|fuller)|(?:--since|--until|--after|--before|--author|--grep)=.*|-n\d*|-\d+|--max-count=\d+|--no-ext-diff|--no-textconv)$/u;

/**
 * What an allow-list entry of just these words covers beyond them. Whatever is missing here asks: options that name a file to
 * write, a program, a config, another folder (`--output`, `--ext-diff`, `--help`, `-C`, `--prefix`), and abbreviations of any.
 */
export const harmlessUses: Readonly<Record<string, HarmlessUse>> = {
  ls: { options: /^-/u, operands: 'any' },
  pwd: { options: /^-[LP]$/u, operands: 'none' },
  'git status': {
    options:
      /^(?:-s|--short|-b|--branch|-sb|-bs|--show-stash|--long|-z|--porcelain(?:=v[12])?|-u(?:no|normal|all)?|--untracked-files(?:=(?:no|normal|all))?|--ignored(?:=(?:traditional|no|matching))?|--ignore-submodules(?:=(?:none|untracked|dirty|all))?|--(?:no-)?ahead-behind|--(?:no-)?renames|--(?:no-)?column)$/u,
    operands: 'inside',
  },
  'git diff': {
    options:
      /^(?:--cached|--staged|--merge-base|--stat|--shortstat|--numstat|--name-only|--name-status|--summary|--check|--no-color|-w|-b|--ignore-all-space|--ignore-space-change|--ignore-blank-lines|-U\d+|--unified=\d+|-M|--find-renames|--no-renames|--word-diff(?:=[a-z]+)?|--minimal|--patience|--histogram|--exit-code|--quiet|-p|--patch|-R|--diff-filter=[A-Za-z]+|--no-ext-diff|--no-textconv)$/u,
    // A revision such as the empty tree, or a path, shows files that `read` would ask about.
    operands: 'none',
  },
  // Patches of files that may hold secrets are asked about; `read` would ask, too.
  'git log': { options: history, operands: 'inside' },
  'git show': { options: history, operands: 'inside' },
  'git branch': {
    options: /^(?:-a|--all|-r|--remotes|-v|-vv|--verbose|--show-current|--no-color)$/u,
    operands: 'none',
  },
  'npm test': { options: /^(?:-s|--silent)$/u, operands: 'none' },
};
