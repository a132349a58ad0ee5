// Threat: PATH names folders of the workspace (node_modules/.bin, what direnv adds), or a link on it leads there, so that a file of
// a hostile repository, or one that was written a moment before, runs as the `git` of an allowed `git status`. What runs without a
// question comes from the machine alone.
import type { FileSystem } from '../host/ports.ts';
import { findProgram, leadsInto, withPathOutside } from './findProgram.ts';

type Environment = Readonly<Record<string, string>>;

export interface GuardDeps {
  readonly fs: Pick<FileSystem, 'stat' | 'realpath'>;
  readonly platform: NodeJS.Platform;
}

/** A line that may run without a question. */
export interface UnaskedLine {
  /** The names of its programs, as they were written. */
  readonly programs: readonly string[];
  /** Absolute path of the folder it runs in. */
  readonly workdir: string;
  readonly env: Environment;
}

/** The environment to run it in, or why it needs a question: one short sentence. */
export type GuardedLine = { readonly env: Environment } | { readonly problem: string };

/**
 * How a line has to run so that nothing of the workspace's folders runs as one of its programs, or as one that these look up.
 */
export async function guardUnasked(
  deps: GuardDeps,
  { programs, workdir, env }: UnaskedLine,
  folders: readonly string[],
): Promise<GuardedLine> {
  const search = { ...deps, cwd: workdir };
  const guarded = await withPathOutside({ ...search, env }, folders);
  for (const name of new Set(programs)) {
    const path = await findProgram({ ...search, env: guarded }, name);
    // Nowhere else: a shell's own word, or nothing at all.
    const inWorkspace = path ?? (await findProgram({ ...search, env }, name));
    if (inWorkspace !== undefined && (await leadsInto(deps, inWorkspace, folders)))
      return { problem: `The program '${name}' is a file of the workspace: ${inWorkspace}.` };
  }
  return { env: guarded };
}
