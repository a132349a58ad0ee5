// Threat: an agent file comes with a workspace, so a stranger may have written it. It is read as data, with limits on size, depth and
// aliases and without YAML tags; what is wrong in it is an error, never a guess; it can't lead out of the workspace unseen.
import { dirname } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { AgentFile } from './agentFile.ts';
import { isWithin } from './createAgentPathCheck.ts';
import { parseAgentFile, type AgentFileReading } from './parseAgentFile.ts';
import type { BuiltInRules } from './toPluginEntries.ts';

export type { AgentFileReading } from './parseAgentFile.ts';
export type { BuiltInRule, BuiltInRules } from './toPluginEntries.ts';

export interface AgentFileInput {
  /** Absolute path of the file. */
  readonly path: string;
  readonly origin: AgentFile['origin'];
  /** Absolute paths of the workspace folders. */
  readonly roots: readonly string[];
  /** Environment variables that `$NAME` and `${NAME}` stand for. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By their key in the file, such as `contentPolicy`. */
  readonly builtIns: BuiltInRules;
}

/** Bytes. */
const maxAgentFile = 1_000_000;

/**
 * Reads and checks an agent file (Dexto plugin specification, YAML Configuration Schema). Never rejects: what is wrong is a diagnostic, and the file then
 * does not count. Codes: `agent_file_missing`, `agent_file_unreadable`, `agent_file_outside`, `agent_file_syntax`,
 * `agent_file_duplicate_key`, `agent_file_too_complex`, `agent_file_invalid` and what the parts have.
 */
export async function readAgentFile(fs: FileSystem, input: AgentFileInput): Promise<AgentFileReading> {
  const { path, origin } = input;
  try {
    const [realPath, dir, realRoots] = await Promise.all([
      fs.realpath(path),
      fs.realpath(dirname(path)),
      realPathsOf(fs, input.roots),
    ]);
    // A link in a repository could point to any file of the user.
    if (origin === 'workspace' && !realRoots.some((root) => isWithin(realPath, root)))
      return failure(
        path,
        'agent_file_outside',
        `The agent file is a link that leads out of the workspace, to ${realPath}.`,
        'Put a copy in its place, or name that file in your own config (dexto.agentFile).',
      );
    const projectDir = realRoots.find((root) => isWithin(dir, root)) ?? realRoots[0];
    const text = await fs.readText(realPath, maxAgentFile);
    return parseAgentFile({ ...input, text, dir, roots: [...input.roots, ...realRoots], projectDir });
  } catch (error) {
    const isMissing = error instanceof PincerError && error.code === 'io_not_found';
    return isMissing
      ? failure(
          path,
          'agent_file_missing',
          `There is no agent file at ${path}.`,
          'Put one there, or name another one.',
        )
      : failure(
          path,
          'agent_file_unreadable',
          `The agent file ${path} can not be read: ${errorMessage(error)}`,
          `It has to be a file that you may read, of at most ${maxAgentFile / 1_000_000} MB.`,
        );
  }
}

/** Of the folders that are there. */
async function realPathsOf(fs: FileSystem, folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => ((await fs.stat(folder)) === undefined ? [] : [await fs.realpath(folder)])),
  );
  return found.flat();
}

function failure(source: string, code: string, message: string, hint: string): AgentFileReading {
  return { diagnostics: [{ level: 'error', code, message, source, hint }] };
}
