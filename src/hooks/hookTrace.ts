import type { FiringName, HookDecision } from './hookTypes.ts';

/** What one handler did, as the runner saw it. Texts are as the plugin wrote them; whoever shows them makes them inert. */
export interface HookTrace {
  readonly hook: FiringName;
  readonly pluginId: string;
  /** By the monotonic clock. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** `decided`: see `decision`; it may stand beside a failure, where the hook fails closed. */
  readonly outcome: 'nothing' | 'changed' | 'decided' | 'invalid' | 'failed' | 'timed-out' | 'cancelled';
  /** The hook's own context, untouched: it says which run, session and call this was about. */
  readonly context: object;
  readonly decision?: HookDecision;
  /** What the next handler saw different from this one. */
  readonly changes?: readonly FieldChange[];
  /** Absent where the hook is confidential. */
  readonly error?: string;
  /** What the host made of the result, where it did not take all of it. */
  readonly note?: string;
  /** What its registration says of the call. */
  readonly told?: ReportedCall;
}

/** A call as its registration tells it, whose handlers say more than a decision. Holds nothing of what was blocked. */
export interface ReportedCall {
  /** Whether its failure stops the operation. */
  readonly blocking: boolean;
  readonly outcome:
    | 'nothing'
    | 'changed'
    | 'blocked'
    /** It wanted to stop, and may not. */
    | 'ignored'
    /** It said that it is not ok, which stops nothing. */
    | 'declined'
    | 'failed'
    | 'timed-out'
    | 'cancelled';
  /** What it said for the user; absent where that may quote what it blocked. */
  readonly message?: string;
  /** Absent where it may quote the conversation. */
  readonly error?: string;
  /** Of a stop or a failure: `PLUGIN_BLOCKED_EXECUTION` and the like. */
  readonly code?: string;
  /** Fields that it wanted to change, and can't. */
  readonly refused?: readonly string[];
  /** Their texts are empty where they may quote what was blocked. */
  readonly notices?: readonly { readonly kind: string; readonly code?: string; readonly message: string }[];
}

/** One field of the event: absent values were not there. */
export interface FieldChange {
  /** `params.path`, `message.content[0].text` */
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
  /** True where the values are only sizes, since they may hold a secret that was taken out. */
  readonly isHidden?: true;
}
