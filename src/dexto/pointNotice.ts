import type { ExtensionPoint, PluginNotice } from './pluginTypes.ts';
import type { PointCall } from './extensionPoints.ts';

/** A notice of a plugin, for events and surfaces. Where its text may quote what was blocked, it is empty. */
export interface PointNotice {
  readonly point: ExtensionPoint;
  /** The plugin's name. */
  readonly pluginId: string;
  readonly call: Pick<PointCall, 'runId' | 'sessionId' | 'sessionKey' | 'tenant' | 'toolName' | 'toolCallId'>;
  readonly notice: PluginNotice;
}
