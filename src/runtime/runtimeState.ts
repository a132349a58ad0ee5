import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';

/** What holds in a window now; every part asks when it needs to know. */
export interface RuntimeState {
  /** Absolute paths of the workspace folders. */
  readonly folders: () => readonly string[];
  readonly layout: () => WorkspaceLayout;
  readonly isTrusted: () => boolean;
  readonly config: () => PincerConfig;
  /** Why no turn may begin: it is not known what the user forbids, or a guard is not there. */
  readonly problem: () => Diagnostic | undefined;
  /** Aborts when the window loses trust or the runtime stops. */
  readonly signal: () => AbortSignal;
  /** Tells the user of a problem, each once. */
  readonly report: (diagnostic: Diagnostic) => void;
}
