import { isAbsolute, relative } from 'node:path';
import { compilePathGlob } from './pathGlob.ts';

/** The first path outside of the plan, as the user reads it; undefined where all are inside, or where there is no plan. */
export type PlanJudge = (paths: readonly string[], workspaceDir: string | undefined) => string | undefined;

/**
 * The plan of a task: globs of the files it may change, from the workspace folder on. Names count as they are written: where
 * the disk ignores case, another spelling is asked about. Absolute paths outside of the folder are never in a plan.
 */
export function createPlanJudge(plan: readonly string[]): PlanJudge {
  if (plan.length === 0) return () => undefined;
  const globs = plan.map((glob) => compilePathGlob(glob.replaceAll('\\', '/').normalize('NFC')));
  return (paths, workspaceDir) =>
    paths.find((path) => {
      const names = namesWithin(path, workspaceDir);
      return names === undefined || !globs.some((fits) => fits(names));
    });
}

/** The names of a path from the workspace folder on; undefined where it leaves the folder or the folder is not known. */
function namesWithin(path: string, workspaceDir: string | undefined): readonly string[] | undefined {
  if (isAbsolute(path) && workspaceDir === undefined) return undefined;
  const inside = isAbsolute(path) ? relative(workspaceDir ?? '', path) : path;
  const names: string[] = [];
  for (const name of inside.replaceAll('\\', '/').normalize('NFC').split('/')) {
    if (name === '..' && names.pop() === undefined) return undefined;
    if (name !== '' && name !== '.' && name !== '..') names.push(name);
  }
  return isAbsolute(inside) || names.length === 0 ? undefined : names;
}
