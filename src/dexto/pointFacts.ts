import type { FieldChange } from '../hooks/hookTrace.ts';
import type { ExtensionPoint } from './pluginTypes.ts';

/** What came of asking one plugin at an extension point. */
export type PointOutcomeKind =
  | 'nothing'
  | 'changed'
  | 'blocked'
  /** It wanted to stop, and may not: it is not blocking. */
  | 'ignored'
  /** It said that it is not ok, which stops nothing. */
  | 'declined'
  | 'failed'
  | 'timed-out'
  | 'cancelled';

/** One Dexto plugin was asked at an extension point, as a trace tells it. Holds nothing of what was blocked. */
export interface PointFacts {
  readonly kind: 'point';
  readonly toolName?: string;
  readonly toolCallId?: string;
  readonly point: ExtensionPoint;
  /** The plugin's name. */
  readonly pluginId: string;
  readonly blocking: boolean;
  readonly outcome: PointOutcomeKind;
  readonly changes?: readonly FieldChange[];
  /** What it said for the user; absent where that may quote what it blocked. */
  readonly message?: string;
  /** Absent where it may quote the conversation. */
  readonly error?: string;
  /** Their texts are empty where they may quote what was blocked. */
  readonly notices?: readonly { readonly kind: string; readonly code?: string; readonly message: string }[];
}

/** The same as it is reported: when it began, by the clock that only grows, and milliseconds. */
export type PointStep = PointFacts & { readonly startedAt: number; readonly durationMs: number };
