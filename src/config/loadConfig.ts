import { errorMessage, PincerError } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { FileSystem } from '../host/ports.ts';
import { userConfigPath, workspaceConfigPath } from './configPaths.ts';
import type { ConfigFile } from './configSchema.ts';
import { findToolRuleProblems } from './findToolRuleProblems.ts';
import { mergeConfig, type PincerConfig, type WorkspaceConfig } from './mergeConfig.ts';
import { parseConfigFile, type PlaceOf } from './parseConfigFile.ts';

interface ConfigInput {
  /** `~/.pincer`, or what PINCER_HOME names. */
  readonly home: string;
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
}

export interface LoadedConfig {
  readonly config: PincerConfig;
  readonly diagnostics: readonly Diagnostic[];
  /** The first file of which it is not known what it forbids: no turn begins until it can be read. */
  readonly problem?: Diagnostic;
  /** Every file that counts, there or not: what to watch. */
  readonly files: readonly string[];
  /** What each file said when it could last be understood; the next `loadConfig` falls back on it. */
  readonly lastGood?: ReadonlyMap<string, ConfigFile>;
  /** Where keys stand, by the path of their file. */
  readonly places?: ReadonlyMap<string, PlaceOf>;
}

/** Every file that counts, there or not, the user's first. */
export function configPaths({ home, folders }: ConfigInput): readonly string[] {
  return [userConfigPath(home), ...folders.map(workspaceConfigPath)];
}

/**
 * Reads and layers all config files. Never throws: what can't be read or parsed is a diagnostic. Threat: a slip while typing
 * takes every denial out of force. So a broken file goes on saying what it said in `previous`; where that is not known,
 * no turn begins; where the file is the user's, only bundled plugins run and no tool is offered.
 */
export async function loadConfig(
  fs: FileSystem,
  input: ConfigInput,
  previous: Pick<LoadedConfig, 'lastGood'> = {},
): Promise<LoadedConfig> {
  const paths = configPaths(input);
  const read = await Promise.all(paths.map((path) => readConfigFile(fs, path)));
  const files = read.map((file) => orLastGood(file, previous.lastGood?.get(file.source)));
  const [userFile, ...workspaceFiles] = files;
  const workspaces: WorkspaceConfig[] = workspaceFiles.map(({ source, config }) => ({ source, config }));
  const { config, diagnostics } = mergeConfig(userFile?.config ?? {}, workspaces);
  const isUserUnknown = userFile?.isBroken === true;
  const problem = files.find(({ isBroken }) => isBroken)?.diagnostics.find(({ level }) => level === 'error');
  const places = new Map(
    files.flatMap(({ source, placeOf }) => (placeOf === undefined ? [] : [[source, placeOf]])),
  );
  return {
    ...(problem === undefined ? {} : { problem }),
    config: isUserUnknown ? withoutUser(config) : config,
    diagnostics: [
      ...files.flatMap((file) => file.diagnostics),
      ...[...diagnostics, ...findToolRuleProblems(files)].map((each) => placed(each, { places })),
    ],
    files: paths,
    lastGood: new Map(files.filter((file) => !file.isBroken).map((file) => [file.source, file.config])),
    places,
  };
}

/** With line and column, where it is about a key that stands in one of these files. Pure. */
export function placed(diagnostic: Diagnostic, { places }: Pick<LoadedConfig, 'places'>): Diagnostic {
  const { source, key, line } = diagnostic;
  if (source === undefined || key === undefined || line !== undefined) return diagnostic;
  return { ...diagnostic, ...places?.get(source)?.(key) };
}

interface ReadFile {
  readonly source: string;
  readonly config: ConfigFile;
  readonly diagnostics: readonly Diagnostic[];
  readonly isBroken: boolean;
  readonly placeOf?: PlaceOf | undefined;
}

/** A file that can be understood, or else what it said before; its diagnostics then say which of both holds. */
function orLastGood(file: ReadFile, before: ConfigFile | undefined): ReadFile {
  if (!file.isBroken) return file;
  const meanwhile =
    before !== undefined
      ? 'Until it is fixed, the previous content applies.'
      : 'Until it is fixed, the agent does not run.';
  const diagnostics = file.diagnostics.map((each): Diagnostic => ({
    ...each,
    hint: `${each.hint ?? ''} ${meanwhile}`.trim(),
    fixes: [{ kind: 'open-file', path: file.source }],
  }));
  return before === undefined
    ? { ...file, diagnostics }
    : { ...file, config: before, isBroken: false, diagnostics };
}

const maxConfigBytes = 1_000_000;

async function readConfigFile(fs: FileSystem, source: string): Promise<ReadFile> {
  try {
    const {
      config,
      diagnostics,
      isBroken = false,
      placeOf,
    } = parseConfigFile(await fs.readText(source, maxConfigBytes), source);
    return { source, config, diagnostics, isBroken, placeOf };
  } catch (error) {
    if (error instanceof PincerError && error.code === 'io_not_found')
      return { source, config: {}, diagnostics: [], isBroken: false };
    const problem = {
      level: 'error',
      code: 'config_unreadable',
      message: errorMessage(error),
      source,
    } as const;
    return { source, config: {}, diagnostics: [problem], isBroken: true };
  }
}

/** Who knows what a user config that can't be read forbids: only bundled plugins run, and there are no tools. */
function withoutUser(config: PincerConfig): PincerConfig {
  return {
    ...config,
    tools: {
      ...config.tools,
      policies: [
        { label: 'user config, which can not be read', tools: { deny: ['*'] }, agents: {}, groups: {} },
        ...config.tools.policies,
      ],
    },
    plugins: { ...config.plugins, onlyBundled: true },
    hooks: { ...config.hooks, unreadable: true },
  };
}
