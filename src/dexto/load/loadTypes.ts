import type { PluginEntry } from '../agentFile/agentFile.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { LoadedPlugin } from '../loadedPlugin.ts';
import type { ExtensionPoint } from '../dextoTypes.ts';

/** Where the code of a custom plugin lies. */
export interface DextoModule {
  /** Its entry file: absolute, links resolved. */
  readonly source: string;
  /** The folder of the npm package that holds it; absent for a plain file. Links resolved. */
  readonly packageDir?: string;
  /** From the package.json of that package. */
  readonly version?: string;
  /** Its code came with the program, as in a bundle: there are no files to read, to agree to or to watch. */
  readonly isProvided?: boolean;
}

/** What went wrong with one plugin, or with the set. */
export interface DextoFailure {
  readonly ok: false;
  readonly phase: 'validation' | 'load' | 'register';
  /** One line; names the plugin, holds none of its secrets. */
  readonly message: string;
  /** With `pluginId` `dexto:<name>`; `source` and `line` are those of the plugin's code where it points there, else of the agent file. */
  readonly diagnostic: Diagnostic;
}

/** Finds what `PluginEntry.module` means, seen from the agent's folder. Runs no code; never rejects. */
export type ResolveDextoModule = (
  entry: PluginEntry,
  agent: { readonly path: string; readonly dir: string },
) => Promise<({ readonly ok: true } & DextoModule) | DextoFailure>;

/** A custom plugin that may be loaded: it is on, its files are known and, where that is needed, agreed to. */
export interface DextoCode extends DextoModule {
  readonly entry: PluginEntry;
  /** The agent file. */
  readonly agentFile: string;
  /** The folder that people know it by; holds `source`. */
  readonly rootDir: string;
  /** The folder that its code is loaded from, laid out as `rootDir`: a snapshot of what was agreed to, or `rootDir` itself. */
  readonly codeDir: string;
  /** Keeps transpiled files. */
  readonly cacheDir: string;
  /** Takes the secrets of the agent file and of its settings out of a text. */
  readonly redact: (text: string) => string;
  /** The extension points that the user was shown; absent, it may have any. */
  readonly shownPoints?: readonly ExtensionPoint[];
  /** Loads it even if it hung the last times: the user asked for it. */
  readonly force?: boolean;
}

/** A plugin that is loaded and has the shape of one, but is not initialized: none is before all are there. */
export interface CheckedPlugin {
  readonly plugin: LoadedPlugin;
  /** As the plugin completes it: `dependsOn` with what its class asks for, `config` as its own schema has read it. */
  readonly entry: PluginEntry;
  /** Where its code came from; absent for built-in ones. */
  readonly code?: DextoCode;
  readonly version?: string;
  /** Milliseconds. */
  readonly loadMs: number;
  /** Extension points that it has and that the user was not shown: they are not asked. */
  readonly heldBack?: readonly ExtensionPoint[];
  /** Told beside success, such as a missing part of `@dexto/core`. */
  readonly diagnostics: readonly Diagnostic[];
  /** Lets go of its modules; does not clean up. */
  dispose(): void;
}

export type DextoLoadOutcome = ({ readonly ok: true } & CheckedPlugin) | DextoFailure;

/** Evaluates the code of one custom plugin and checks what it exports. Never rejects; a failure leaves nothing behind. */
type LoadDextoPlugin = (code: DextoCode) => Promise<DextoLoadOutcome>;

/**
 * The order in which plugins are initialized and run: dependencies first, among the others lower priority first. Pure. Fails for
 * cycles, for what is missing, and for names or priorities that two have.
 */
export type PlanOrder = (
  entries: readonly PluginEntry[],
  agentFile: string,
) =>
  | { readonly ok: true; readonly order: readonly PluginEntry[] }
  | { readonly ok: false; readonly failures: readonly DextoFailure[] };

/** Lets one plugin initialize itself with its settings, within a time limit. Never rejects. */
type InitializeDextoPlugin = (
  plugin: CheckedPlugin,
  agentFile: string,
) => Promise<{ readonly ok: true } | DextoFailure>;

/** Cleans up plugins that were initialized, the last one first, each within a time limit. Never rejects: what fails is told. */
type CleanUpDextoPlugins = (plugins: readonly CheckedPlugin[]) => Promise<readonly Diagnostic[]>;

/** Everything of the loader that decides nothing about consent, trust or generations. */
export interface DextoLoader {
  readonly resolve: ResolveDextoModule;
  readonly load: LoadDextoPlugin;
  readonly planOrder: PlanOrder;
  readonly initialize: InitializeDextoPlugin;
  readonly cleanUp: CleanUpDextoPlugins;
}
