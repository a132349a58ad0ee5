// Threat: a workspace's file names a file of the user's, to be put into a prompt or written over. What it names lies in the workspace.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { AgentFile } from './agentFile.ts';
import type { KeyPath } from './parseAgentYaml.ts';
import { pathText, type Report } from './report.ts';

/** The path as it counts; undefined where it may not be, which is reported. */
export type CheckPath = (path: string, at: KeyPath) => string | undefined;

/**
 * A relative path begins at the folder of the agent file, as upstream reads it; in a workspace's file it has to lie in the workspace. By
 * their names: whoever opens them sees to links.
 * @param dir the folder of the agent file
 * @param roots the workspace folders, as they are named and with links resolved
 */
export function createAgentPathCheck(
  { dir, origin, roots }: Pick<AgentFile, 'dir' | 'origin'> & { readonly roots: readonly string[] },
  report: Report,
): CheckPath {
  return (path, at) => {
    // An unknown variable has been reported already.
    if (path.includes('{{dexto.')) return undefined;
    const said = report.textAt(at);
    if (/^~[\\/]/u.test(path)) {
      report.add({
        level: 'error',
        code: 'agent_file_path_relative',
        path: at,
        message: `${pathText(at)}: "${said}" begins with ~, which means nothing in an agent file.`,
        hint: 'Write the path in full, or one that begins at the folder of the agent file, such as ./data.',
      });
      return undefined;
    }
    const full = resolve(dir, path);
    if (origin === 'user' || roots.some((root) => isWithin(full, root))) return full;
    report.add({
      level: 'error',
      code: 'agent_file_path_outside',
      path: at,
      message: `${pathText(at)}: "${said}" lies outside of the workspace.`,
      hint: 'Put it into the workspace, or name an agent file outside of it in your own config (dexto.agentFile).',
    });
    return undefined;
  };
}

/** True where `path` is the folder or lies in it. Both absolute. */
export function isWithin(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}
