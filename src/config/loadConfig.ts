import { errorMessage, PincerError } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { FileSystem } from '../host/ports.ts';
import { userConfigPath, workspaceConfigPath } from './configPaths.ts';
import type { ConfigFile } from './configSchema.ts';
import { mergeConfig, type PincerConfig, type WorkspaceConfig } from './mergeConfig.ts';
import { parseConfigFile } from './parseConfigFile.ts';

export interface ConfigInput {
  /** `~/.pincer`, or what PINCER_HOME names. */
  readonly home: string;
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
}

export interface LoadedConfig {
  readonly config: PincerConfig;
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that counts, there or not: what to watch. */
  readonly files: readonly string[];
}

/** Reads and layers all config files. Never throws: what can't be read or parsed is a diagnostic. */
export async function loadConfig(fs: FileSystem, input: ConfigInput): Promise<LoadedConfig> {
  const userFile = await readConfigFile(fs, userConfigPath(input.home));
  const workspaceFiles = await Promise.all(
    input.folders.map((folder) => readConfigFile(fs, workspaceConfigPath(folder))),
  );
  const workspaces: WorkspaceConfig[] = workspaceFiles.map(({ source, config }) => ({ source, config }));
  const merged = mergeConfig(userFile.config, workspaces);
  const all = [userFile, ...workspaceFiles];
  return {
    config: merged.config,
    diagnostics: [...all.flatMap((file) => file.diagnostics), ...merged.diagnostics],
    files: all.map((file) => file.source),
  };
}

const maxConfigBytes = 1_000_000;

async function readConfigFile(
  fs: FileSystem,
  source: string,
): Promise<{
  readonly source: string;
  readonly config: ConfigFile;
  readonly diagnostics: readonly Diagnostic[];
}> {
  try {
    return { source, ...parseConfigFile(await fs.readText(source, maxConfigBytes), source) };
  } catch (error) {
    const missing = error instanceof PincerError && error.code === 'io_not_found';
    const diagnostics: Diagnostic[] = missing
      ? []
      : [
          {
            level: 'error',
            code: 'config_unreadable',
            message: errorMessage(error),
            hint: 'The file is ignored.',
            source,
          },
        ];
    return { source, config: {}, diagnostics };
  }
}
