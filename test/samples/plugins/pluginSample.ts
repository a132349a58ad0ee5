import type { Diagnostic } from '../../../src/contracts/diagnostic.ts';
import type { InMemoryLog } from '../../builders/inMemoryLog.ts';
import type { FileSystem } from '../../../src/host/ports.ts';
import type { Memory } from '../../../src/memory/memory.ts';
import type { PluginManager } from '../../../src/plugins/pluginManager.ts';
import type { PluginRecord, PluginsConfig } from '../../../src/plugins/pluginTypes.ts';
import type { PluginSessionState } from '../../../src/sessions/pluginSessionState.ts';

/**
 * One behaviour of the plugin runtime. The folder of a sample holds `fixture/`, with plugins in `workspace/`, `bundled/`,
 * `global/` or `config/` by where they are found, and this object as the default export of `sample.ts`.
 */
export interface PluginSample {
  /** The rule as one sentence; it is the name of the test. */
  readonly rule: string;
  /** Default true. */
  readonly trusted?: boolean;
  /** False leaves workspace plugins without consent. Default true: each is enabled once before `check`. */
  readonly consent?: boolean;
  readonly config?: Partial<PluginsConfig>;
  /** Makes the clock run this many times faster, for rules about waiting. */
  readonly speed?: number;
  /** What settings may refer to. */
  readonly env?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Stands between the manager and the disk, for what a test can't make a disk do. */
  readonly disk?: (real: FileSystem) => FileSystem;
  /** The memory that plugins reach, over the workspace in `root`; default: there is none. */
  readonly memory?: (root: string) => Memory;
  /** Changes the copied files before the first load; `root` holds `workspace`, `bundled`, `home`, `config`. */
  readonly prepare?: (root: string) => Promise<unknown>;
  readonly check: (world: SampleWorld) => unknown;
}

/** A plugin manager over a copy of the fixture in a temporary folder, loaded once. */
export interface SampleWorld {
  readonly manager: PluginManager;
  readonly log: InMemoryLog;
  /** Key of a session that exists. */
  readonly sessionKey: string;
  /** What plugins keep of it. */
  readonly sessionState: PluginSessionState;
  /** Holds `workspace`, `bundled`, `home`, `config` and `state`. */
  readonly root: string;
  /** Absolute path of the workspace folder; plugins get it from `api.resolvePath('.')`. */
  readonly workspace: string;
  readonly plugin: (id: string) => PluginRecord;
  /** The diagnostics with this code, of one plugin or of all. */
  readonly found: (code: string, pluginId?: string) => readonly Diagnostic[];
  /** Names of the marks that plugins have left by `globalThis.mark('name')`, in order. */
  readonly marks: readonly string[];
  /** Runs a plugin tool and returns the text it gives the model. */
  readonly runTool: (name: string, params?: Record<string, unknown>) => Promise<string>;
  /** Loads again, with something changed. */
  readonly load: (change?: {
    readonly trusted?: boolean;
    readonly config?: Partial<PluginsConfig>;
  }) => Promise<void>;
  /** Path of a plugin's folder in the workspace. */
  readonly folderOf: (plugin: string) => string;
}

export function sample(definition: PluginSample): PluginSample {
  return definition;
}
