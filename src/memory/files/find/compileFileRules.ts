// Threat: a cloned repository's settings include `**/*`, and the index holds its keys and dumps for everyone who searches. So a
// folder's own settings choose among its markdown; what else is text, the user's own config may name.
import { compileGlob, type GlobMatcher } from '../../../base/compileGlob.ts';
import { errorMessage } from '../../../base/errors.ts';
import type { Diagnostic } from '../../../contracts/diagnostic.ts';
import { patternInvalid } from './errors.ts';

/** Globs of one folder, ready to ask. `names` are those below the folder. */
export interface FileRules {
  includes(names: readonly string[]): boolean;
  /** Of one file or folder; what lies in an excluded folder is for the caller. */
  excludes(names: readonly string[]): boolean;
}

export interface RuleInput {
  readonly include: readonly string[];
  /** True where `include` is what the folder's own settings say. */
  readonly isOnlyMarkdown: boolean;
  /** A pattern without a slash is a name in any folder. */
  readonly exclude: readonly string[];
  /** As in VS Code's `files.exclude`: a pattern without a slash is a name at the top. */
  readonly topExclude: readonly string[];
  readonly isCaseSensitive: boolean;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Globs that can't be compiled are reported and left out. What is looked for may be spelt in any case. */
export function compileFileRules(input: RuleInput): FileRules {
  const { isCaseSensitive, isOnlyMarkdown, report } = input;
  const include = compileAll(input.include, false, report);
  const top = input.topExclude.map((glob) => (glob.includes('/') ? glob : `./${glob}`));
  const exclude = compileAll([...input.exclude, ...top], isCaseSensitive, report);
  return {
    includes: (names) =>
      matchesAny(include, names.map(lower)) && (!isOnlyMarkdown || isMarkdown(names.at(-1) ?? '')),
    excludes: (names) => matchesAny(exclude, isCaseSensitive ? names : names.map(lower)),
  };
}

function compileAll(
  globs: readonly string[],
  isCaseSensitive: boolean,
  report: (diagnostic: Diagnostic) => void,
): GlobMatcher[] {
  return globs.flatMap((glob) => {
    try {
      return [compileGlob(isCaseSensitive ? glob : glob.toLowerCase())];
    } catch (error) {
      report(patternInvalid(errorMessage(error)));
      return [];
    }
  });
}

function matchesAny(matchers: readonly GlobMatcher[], names: readonly string[]): boolean {
  return matchers.some((matches) => matches(names));
}

function isMarkdown(name: string): boolean {
  return /\.(?:md|mdx|markdown|mdown|mkd)$/iu.test(name);
}

function lower(name: string): string {
  return name.toLowerCase();
}
