import type { FieldChange, ReportedCall } from '../hooks/hookTrace.ts';
import type { PointContext } from '../hooks/payloads/pointHooks.ts';
import type { DextoErrorCode } from './dextoErrors.ts';
import type { LoadedPlugin } from './loadedPlugin.ts';
import type { ExtensionPoint, PluginNotice } from './dextoTypes.ts';

/** A plugin that is asked at an extension point. */
export interface AskedPlugin {
  readonly plugin: LoadedPlugin;
  readonly point: ExtensionPoint;
  readonly call: PointContext;
}

/** What came of it. Texts are safe to show, and hold none of the plugin's secrets. */
export interface Verdict {
  readonly outcome: ReportedCall['outcome'];
  /** What the plugin said of itself; false where it said nothing. */
  readonly ok: boolean;
  readonly changes: readonly FieldChange[];
  /** Fields that it wanted to change, and can't. */
  readonly refused: readonly string[];
  readonly message?: string;
  readonly error?: string;
  /** The error without words that may quote the conversation, where it has any. */
  readonly safeError?: string;
  readonly notices: readonly PluginNotice[];
  /** Where it stopped something, or was to blame itself; and what a server answers then. */
  readonly code?: DextoErrorCode;
  readonly httpStatus?: number;
}

/** The same for whoever listens. Holds nothing of what was blocked. */
export interface PointFacts extends ReportedCall {
  readonly point: ExtensionPoint;
  /** The plugin's name. */
  readonly pluginId: string;
  readonly toolName?: string;
  readonly changes?: readonly FieldChange[];
}

/** A plugin stopped something, or failed: for events and whoever serves the turn. Holds nothing that may quote what was blocked. */
export interface PointStop {
  readonly point: ExtensionPoint;
  /** The plugin's name. */
  readonly pluginId: string;
  readonly call: PointContext;
  readonly code: DextoErrorCode;
  readonly httpStatus: number;
  /** Whether the operation ended with that: a plugin that is not blocking stops nothing. */
  readonly isStopped: boolean;
  readonly message?: string;
  readonly notices: readonly PluginNotice[];
}

/** A notice of a plugin, for events and surfaces. Where its text may quote what was blocked, it is empty. */
export interface PointNotice {
  readonly point: ExtensionPoint;
  /** The plugin's name. */
  readonly pluginId: string;
  readonly call: PointContext;
  readonly notice: PluginNotice;
}
