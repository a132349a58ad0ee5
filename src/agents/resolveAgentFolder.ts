import { basename, normalize } from 'node:path';

/** The folder an agent works in. `problem` ends a sentence that begins with what the config says. */
interface AgentFolder {
  /** Absolute path; undefined where no folder is open. */
  readonly folder: string | undefined;
  readonly problem?: 'is no open folder' | 'is the name of several open folders';
}

/**
 * The workspace folder of an agent: what its `workspace` names by path or by name, else the first one. Only open folders count:
 * a config can't send an agent to work anywhere else. Pure.
 */
export function resolveAgentFolder(
  workspace: string | undefined,
  folders: readonly string[],
  userHome = '',
): AgentFolder {
  const [first] = folders;
  if (workspace === undefined) return { folder: first };
  const wanted = comparable(workspace.replace(/^~(?=[/\\])/u, userHome));
  const byPath = folders.find((folder) => comparable(folder) === wanted);
  if (byPath !== undefined) return { folder: byPath };
  const byName = folders.filter((folder) => basename(folder) === workspace);
  if (byName.length > 1) return { folder: byName[0], problem: 'is the name of several open folders' };
  return byName.length === 1 ? { folder: byName[0] } : { folder: first, problem: 'is no open folder' };
}

function comparable(path: string): string {
  return normalize(path).replace(/(?<=.)[/\\]$/u, '');
}
