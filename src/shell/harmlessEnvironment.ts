import type { HarmlessUse } from './findHarmlessUse.ts';
import type { Environment } from './filterEnvironment.ts';
import { gitOverrides, obeyed } from './harmlessCommands.ts';
import { withGitConfig } from './withGitGuard.ts';

/** The environment in which files of the workspace start nothing by these commands. Pure. */
export function harmlessEnvironment(env: Environment, uses: readonly HarmlessUse[]): Environment {
  const who = new Set(uses.flatMap(({ command }) => command.obeys ?? []));
  const variables = [...who].map((each) => obeyed[each].variables);
  const switched: Environment = Object.assign({}, env, ...variables) as Environment;
  return who.has('git') ? withGitConfig(switched, gitOverrides) : switched;
}
