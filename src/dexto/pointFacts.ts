import type { FieldChange, ToldCall } from '../hooks/hookTrace.ts';
import type { PointContext } from '../hooks/payloads/pointHooks.ts';
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
  readonly outcome: ToldCall['outcome'];
  /** What the plugin said of itself; false where it said nothing. */
  readonly ok: boolean;
  readonly changes: readonly FieldChange[];
  /** Fields that it wanted to change, and can't. */
  readonly refused: readonly string[];
  readonly message?: string;
  readonly error?: string;
  readonly notices: readonly PluginNotice[];
}

/** The same for whoever listens. Holds nothing of what was blocked. */
export interface PointFacts extends ToldCall {
  readonly point: ExtensionPoint;
  /** The plugin's name. */
  readonly pluginId: string;
  readonly toolName?: string;
  readonly changes?: readonly FieldChange[];
}

/** A notice of a plugin, for events and surfaces. Where its text may quote what was blocked, it is empty. */
export interface PointNotice {
  readonly point: ExtensionPoint;
  /** The plugin's name. */
  readonly pluginId: string;
  readonly call: PointContext;
  readonly notice: PluginNotice;
}
