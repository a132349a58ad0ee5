import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { HooksConfig } from './hookConfig.ts';
import type { OperatorHookRecord } from './operatorHookTypes.ts';

/** What decides which hooks run: changes of any of it call for another `load`. */
export interface OperatorHookInput {
  /** Absolute paths of the workspace folders. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  readonly config: HooksConfig;
  /** What `requires.config` of a hook looks into; `workspace.dir` is there where a folder is open. Default empty. */
  readonly hostConfig?: Readonly<Record<string, unknown>>;
}

/** Finds, loads and unloads hooks with a HOOK.md. Calls run one after the other. */
export interface OperatorHooks extends Disposable {
  /** Fires after hooks or their diagnostics may have changed. */
  readonly onDidChange: Event<void>;
  /**
   * Makes the hooks that listen match `input` and the files: loads new and changed ones, keeps the others, lets go of the
   * rest. A changed hook that fails, or waits for the user, leaves its previous version running. Never
   * rejects: failures are diagnostics.
   */
  load(input: OperatorHookInput): Promise<void>;
  /** Whether files have changed that the last load looked at. Never rejects. */
  isOutdated(): Promise<boolean>;
  /** Configured, managed, workspace. */
  list(): readonly OperatorHookRecord[];
  /** Of discovery, of every hook, and of what failed since. */
  diagnostics(): readonly Diagnostic[];
  /**
   * Lets a workspace hook run with exactly the files that its record's `needsConsent` names, and loads. `hash` is that of the
   * `needsConsent` the user was shown: where the files have changed since, nothing is granted.
   * @throws PincerError `hook_unknown`, `hook_needs_no_consent`, `hook_changed`
   */
  grantConsent(name: string, hash?: string): Promise<void>;
  /** Forgets every consent for the hook, and unloads it. */
  revokeConsent(name: string): Promise<void>;
}
