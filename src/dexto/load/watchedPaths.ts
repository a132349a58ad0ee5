import { dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../../plugins/discover/isInside.ts';
import type { DextoPlan } from './planDextoPlugin.ts';

/**
 * Whether a path is one of the agent files, there or not, or belongs to a plugin. A plugin counts by the name that the agent file
 * gives it, too: editors tell paths as the user opened them, links and all. Pure.
 */
export function isWatched(
  path: string,
  agentFiles: readonly string[],
  plans: readonly Pick<DextoPlan, 'entry' | 'module' | 'candidate' | 'files'>[],
): boolean {
  return agentFiles.includes(path) || plans.some((plan) => belongsTo(plan, path));
}

function belongsTo(
  { entry, module, candidate, files }: Pick<DextoPlan, 'entry' | 'module' | 'candidate' | 'files'>,
  path: string,
): boolean {
  if (module?.isProvided === true || entry.kind === 'builtin') return false;
  const named = entry.module !== undefined && isAbsolute(entry.module) ? entry.module : undefined;
  if (module === undefined) return path === named;
  const { isLooseFile, rootDir, source } = candidate;
  if (isLooseFile)
    return [source, named, ...(files?.files ?? []).map((file) => join(rootDir, file.path))].includes(path);
  return isInside(rootDir, path) || (named !== undefined && isInside(dirname(named), path));
}
