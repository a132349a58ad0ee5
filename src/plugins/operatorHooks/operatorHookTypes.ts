import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { ConsentNeed } from '../pluginTypes.ts';

/** Where a hook was found: in the workspace, in the user's own hook folders, or in a folder that the user's config names. */
export type HookOrigin = 'workspace' | 'managed' | 'config';

/** What decided that a hook does not run; front ends offer remedies by it. */
export type HookDisabledBy =
  | 'master-switch'
  | 'entry'
  | 'broken-config'
  | 'trust'
  | 'consent'
  | 'default'
  | 'problem'
  | 'requirements'
  | 'override';

/** A folder with a HOOK.md, as the disk shows it; nothing of it has been read. */
export interface HookCandidate {
  readonly origin: HookOrigin;
  /** Absolute path of the folder with HOOK.md. */
  readonly folder: string;
  /** Folder that holds everything the hook may load: its own, or that of the package it belongs to. */
  readonly rootDir: string;
  /** The workspace folder it belongs to; only for origin `workspace`. */
  readonly workspaceDir?: string;
}

/** What a hook needs to be of use. All lists may be empty. */
interface HookRequirements {
  /** Programs that must all be on the PATH. */
  readonly bins: readonly string[];
  /** Programs of which one must be. */
  readonly anyBins: readonly string[];
  /** Environment variables, or settings in the hook's `env`. */
  readonly env: readonly string[];
  /** Dotted paths of the config that must hold something. */
  readonly config: readonly string[];
}

/** What HOOK.md says, checked. */
export interface HookManifest {
  /** Absent where HOOK.md names none: the folder's name counts. */
  readonly name?: string;
  readonly description: string;
  readonly emoji?: string;
  readonly homepage?: string;
  /** As written; `judgeEvents` says which of them exist. */
  readonly events: readonly string[];
  readonly exportName: string;
  /** Key of its entry in the config; default its name. */
  readonly hookKey?: string;
  /** Platforms by Node's names; empty means any. */
  readonly os: readonly string[];
  /** True skips all requirements but the platform. */
  readonly always: boolean;
  readonly requires: HookRequirements;
}

/** One hook as lists and trees show it. */
export interface OperatorHookRecord {
  readonly name: string;
  /** Its name in the config: `hooks.internal.entries.<key>`. */
  readonly key: string;
  readonly description: string;
  readonly emoji?: string;
  readonly homepage?: string;
  /** The known events it listens to. */
  readonly events: readonly string[];
  readonly origin: HookOrigin;
  readonly rootDir: string;
  /** Absolute path of its handler; of its HOOK.md where no handler was found. */
  readonly source: string;
  /** Absolute path of its HOOK.md. */
  readonly hookFile: string;
  readonly workspaceDir?: string;
  /** What decided that it is not to run. */
  readonly disabledBy?: HookDisabledBy;
  readonly status: 'loaded' | 'disabled' | 'error';
  /** Why it is in this state, in one line for people. */
  readonly reason: string;
  /** A workspace hook that waits for the user's yes. */
  readonly needsConsent?: ConsentNeed;
  /** Of its files, its loading, and what failed since. */
  readonly diagnostics: readonly Diagnostic[];
  readonly timings?: { readonly loadMs: number };
}
