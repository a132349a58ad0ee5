/** A folder or file of this machine that the container sees. */
export interface Bind {
  /** Absolute path on this machine. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  readonly mode: 'ro' | 'rw';
}

/** Where binds may come from and go to. */
export interface BindRules {
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  /** Absolute folders that the user allows to be bound: the workspace folders and what the config adds. */
  readonly roots: readonly string[];
  /** Places in the container that are ours. */
  readonly reservedTargets: readonly string[];
}

/** Why a bind is refused, for people; upstream's codes where it has one. */
interface BindFault {
  readonly reason: string;
}

export type BindVerdict =
  { readonly ok: true; readonly bind: Bind } | { readonly ok: false; readonly fault: BindFault };
