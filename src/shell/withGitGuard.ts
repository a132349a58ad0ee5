// Threat: Git takes any folder with a HEAD, a config and two folders for a repository, and that config names programs to run.
// So plain files with harmless names (`x/HEAD`, `x/config`) would make an allowed `git status` in `x` run what they say.
// Repositories that are called `.git` are guarded by their name.
import type { Environment } from './filterEnvironment.ts';

/** The environment with the order for Git to look for repositories only under the name `.git` (`safe.bareRepository`). Pure. */
export function withGitGuard(env: Environment): Environment {
  const count = env['GIT_CONFIG_COUNT'] ?? '0';
  // Git refuses to run with a count that is none.
  if (!/^\d{1,3}$/u.test(count)) return env;
  const at = Number(count);
  return {
    ...env,
    GIT_CONFIG_COUNT: String(at + 1),
    [`GIT_CONFIG_KEY_${at}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${at}`]: 'explicit',
  };
}
