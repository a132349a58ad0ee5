import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ToolCall, Turn } from '../contracts/tool.ts';
import type { ExactPath } from '../host/ports.ts';

/**
 * What files held before the agent changed them, turn by turn. Only files that a turn touched are kept, in the state folder and
 * outside of any repository.
 */
export interface Checkpoints {
  /**
   * Keeps what the files hold and writes down what is going to happen. Both are on disk before it resolves, so that nothing may
   * be changed earlier. A caller must end what it began.
   * @throws PincerError `checkpoint_failed` where it can't be kept; then nothing may be changed
   */
  begin(changes: readonly PlannedChange[], call: ToolCall): Promise<PendingChange>;
  /** What the run changes counts to this turn from now on; it must end before `endTurn` of both can let the turn go. */
  joinTurn(runId: string, turn: Pick<Turn, 'runId' | 'sessionId'>): void;
  /** The run has ended. A turn whose runs all have may be dropped when there is too much. */
  endTurn(runId: string): void;
  /** Resolves when no change is under way and nothing is being dropped any more. */
  settled(): Promise<void>;
  /** The turns and restores that changed files, newest first; without an id those of every session. */
  list(sessionId?: string): Promise<readonly CheckpointTurn[]>;
  /**
   * What would bring the files back to where they were before the turn, with everything that later turns of its session did.
   * @throws PincerError `checkpoint_unknown`
   */
  planRestore(turnId: string, options?: RestoreOptions): Promise<RestorePlan>;
  /**
   * Carries a plan out: all of it or nothing. A file that is not what `current` says any more stops it. What stands in the way
   * of a file is passed over only where the user said so: `overwrite` holds the paths.
   * @throws PincerError `checkpoint_stale`, `checkpoint_failed`, `io_*`
   */
  restore(plan: RestorePlan, options?: { readonly overwrite?: readonly string[] }): Promise<RestoreResult>;
  /** What a file held before the turn; undefined where it was not there or is not kept any more. */
  contentBefore(turnId: string, path: string): Promise<Uint8Array | undefined>;
  /**
   * At the start: changes that an earlier process began and never ended are completed or taken back, so that each is there as a
   * whole or not at all. What can't be is left as it is and told.
   */
  recover(): Promise<readonly Diagnostic[]>;
}

/** One file as a tool is going to change it; null where there is no file. */
export interface PlannedChange {
  /** Absolute. */
  readonly path: string;
  /** As the user has it, unsaved changes included. */
  readonly before: string | null;
  readonly after: string | null;
  /** Path of the file whose encoding a new file takes: a move. */
  readonly like?: string;
}

/** Both texts as the bytes they are on the disk; `like` is what the file holds now, or the one whose encoding it takes. */
export type EncodeChange = (
  change: PlannedChange,
  like: Uint8Array | null,
) => { readonly before: Uint8Array | null; readonly after: Uint8Array | null };

/**
 * Where an editor holds unsaved what the agent was going to write (`isAgents` of its bytes), it gets `content` instead, saved.
 * False where it holds anything else. @throws PincerError `io_*`, `edit_*`
 */
export type TakeBackUnsaved = (
  place: ExactPath,
  isAgents: (bytes: Uint8Array) => boolean,
  content: Uint8Array,
) => Promise<boolean>;

/** A change that is going on. */
export interface PendingChange {
  /** It was made: what the files hold now is what the agent has written. */
  done(): Promise<void>;
  /** It was not made. What was written nevertheless is taken back. */
  failed(): Promise<void>;
}

export type FileStatus = 'created' | 'changed' | 'deleted';

/** A turn that changed files. */
export interface CheckpointTurn {
  /** The id of the run. */
  readonly id: string;
  /** `restore` is one that brought files back; it can be restored like any other. */
  readonly kind: 'turn' | 'restore';
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** What became of each file over the whole turn; one that ended as it was is left out. */
  readonly files: readonly TurnFile[];
}

export interface TurnFile {
  readonly path: string;
  /** As people read it: relative to its workspace folder. */
  readonly label: string;
  readonly status: FileStatus;
}

export interface RestoreOptions {
  /** Turns of any session that go with it, each with the later ones of its own. */
  readonly also?: readonly string[];
  /** Turns that stay as they are, though one that goes came before them. */
  readonly without?: readonly string[];
  /** Files whose editors hold text that is not on disk. */
  readonly unsaved?: readonly string[];
}

export interface RestorePlan {
  readonly turnId: string;
  readonly sessionId: string;
  /** By label. Files that already are as they were are left out. */
  readonly items: readonly RestoreItem[];
}

export interface RestoreItem {
  readonly path: string;
  readonly label: string;
  /** What would happen: the old content comes back, or the file goes since there was none. */
  readonly action: 'restore' | 'delete';
  /** SHA-256 of the content that comes back; null where the file goes. */
  readonly target: string | null;
  /** SHA-256 of what the file holds now; null where there is none. */
  readonly current: string | null;
  /** Permission bits that it gets where it is gone by now. */
  readonly mode?: number;
  /** Why it is not simply done; undefined where nothing stands in the way. */
  readonly obstacle?: RestoreObstacle;
}

/**
 * `changed`: it is not what the agent has left there. `unsaved`: an editor holds other text. Of these the user may say that it
 * shall be overwritten. `refused` can't be overridden.
 */
export type RestoreObstacle =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unsaved' }
  | { readonly kind: 'refused'; readonly reason: string };

export interface RestoreResult {
  /** The checkpoint of the restore itself: restoring it brings everything back. Undefined where nothing was to do. */
  readonly turnId: string | undefined;
  readonly restored: readonly TurnFile[];
}

/** A place that may be written now, or why not. */
export type CheckedPath =
  | { readonly kind: 'allowed'; readonly place: ExactPath; readonly label: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** How much is kept; what is older goes. */
export interface CheckpointLimits {
  readonly maxTurns: number;
  readonly maxMegabytes: number;
}
