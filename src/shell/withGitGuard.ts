// Threat: Git takes any folder with a HEAD, a config and two folders for a repository, and that config names programs to run.
// So plain files with harmless names (`x/HEAD`, `x/config`) would make an allowed `git status` in `x` run what they say.
// Repositories that are called `.git` are guarded by their name.
export type Environment = Readonly<Record<string, string>>;

/** The environment with the order for Git to look for repositories only under the name `.git` (`safe.bareRepository`). Pure. */
export function withGitGuard(env: Environment): Environment {
  return withGitConfig(env, { 'safe.bareRepository': 'explicit' });
}

/** The environment in which these settings of Git hold, whatever its config files say. Pure. */
export function withGitConfig(env: Environment, settings: Readonly<Record<string, string>>): Environment {
  const written = env['GIT_CONFIG_COUNT'] ?? '0';
  // Git refuses to run with a count that is none.
  if (!/^\d{1,3}$/u.test(written)) return env;
  const count = Number(written);
  const added = Object.entries(settings).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${count + at}`, key],
    [`GIT_CONFIG_VALUE_${count + at}`, value],
  ]);
  return {
    ...env,
    ...(Object.fromEntries(added) as Environment),
    GIT_CONFIG_COUNT: String(count + Object.keys(settings).length),
  };
}
