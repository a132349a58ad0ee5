import type { HarmlessUse } from './findHarmlessUse.ts';
import type { Environment } from './filterEnvironment.ts';
import { gitOverrides, obeyed } from './harmlessCommands.ts';
import { withGitConfig } from './withGitGuard.ts';

/** The environment in which files of the workspace start nothing by these commands. Pure. */
export function harmlessEnvironment(env: Environment, uses: readonly HarmlessUse[]): Environment {
  const who = new Set(uses.flatMap(({ command }) => command.obeys ?? []));
  const variables = [...who].map((each) => obeyed[each].variables);
  const switched: Environment = Object.assign({}, env, ...variables) as Environment;
  return who.has('git') ? withGitConfig(withoutPlaces(switched), gitOverrides) : switched;
}

/** What names another repository than the one that is looked at, or a program beside its config. */
const gitPlaces =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|INDEX_FILE|NAMESPACE|EXEC_PATH|EXTERNAL_DIFF|PAGER|TRACE.*)$/iu;

function withoutPlaces(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !gitPlaces.test(name)));
}
