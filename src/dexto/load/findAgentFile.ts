import { isAbsolute, join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { AgentFile } from '../agentFile/agentFile.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { FileSystem } from '../../host/ports.ts';
import { isInside } from '../../plugins/discover/isInside.ts';
import { errorDiagnostic } from '../../plugins/pluginDiagnostics.ts';
import type { PluginsConfig } from '../../plugins/pluginTypes.ts';
import { realPathOr } from '../../plugins/realPathOr.ts';

/** What decides which Dexto plugins run. */
export interface DextoLoadInput {
  /** Absolute paths of the workspace folders. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  /** The file that the user's config names; absent, `.pincer/agent.yml` of the first folder that has one. */
  readonly agentFile?: string;
  /** For what the user switched off: `entries['dexto:<name>'].enabled`. */
  readonly config: PluginsConfig;
}

/** `none`: there is nothing to read. */
type FoundAgentFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly path: string; readonly origin: AgentFile['origin'] }
  | { readonly kind: 'failed'; readonly path: string; readonly diagnostic: Diagnostic };

/** Where an agent file may lie: the one that the user's config names, else one in each workspace folder. Absolute paths. Pure. */
export function agentFilePaths(
  { roots, agentFile }: Pick<DextoLoadInput, 'roots' | 'agentFile'>,
  homeDir: string,
): readonly string[] {
  if (agentFile === undefined) return roots.map((root) => join(root, '.pincer', 'agent.yml'));
  return [agentFile.startsWith('~/') ? join(homeDir, agentFile.slice(2)) : agentFile];
}

/** The agent file that counts: one stat for each place where nothing is. Never rejects. */
export async function findAgentFile(
  fs: FileSystem,
  input: Pick<DextoLoadInput, 'roots' | 'agentFile'>,
  homeDir: string,
): Promise<FoundAgentFile> {
  for (const path of agentFilePaths(input, homeDir)) {
    if (!isAbsolute(path)) return failed(path, 'it is no absolute path');
    try {
      if ((await fs.stat(path)) === undefined) continue;
      const isOfWorkspace = input.agentFile === undefined || (await liesInWorkspace(fs, path, input.roots));
      return { kind: 'found', path, origin: isOfWorkspace ? 'workspace' : 'user' };
    } catch (error) {
      return failed(path, errorMessage(error));
    }
  }
  const [named = ''] = input.agentFile === undefined ? [] : agentFilePaths(input, homeDir);
  return named === '' ? { kind: 'none' } : failed(named, 'there is no such file');
}

/**
 * Threat: the user's config names a file that a workspace brings, or a link in a workspace leads to one of the user's; whoever may
 * write into the workspace then decides what counts.
 */
async function liesInWorkspace(fs: FileSystem, path: string, roots: readonly string[]): Promise<boolean> {
  const real = await fs.realpath(path);
  for (const root of roots) {
    if (isInside(root, path) || isInside(await realPathOr(fs, root), real)) return true;
  }
  return false;
}

function failed(path: string, why: string): FoundAgentFile {
  const message = `The agent file ${path} can not be used: ${why}`;
  const hint = 'Correct the path where it is named: dexto.agentFile of your config, or --agent-file.';
  return {
    kind: 'failed',
    path,
    diagnostic: errorDiagnostic('agent_file_unreadable', message, { source: path, hint }),
  };
}
