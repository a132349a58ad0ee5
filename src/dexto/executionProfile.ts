import type { ExtensionPoint, PluginNotice } from './pluginTypes.ts';

/** How one plugin has done at one extension point since it was loaded. Times in milliseconds. */
export interface PointProfile {
  readonly point: ExtensionPoint;
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  readonly changed: number;
  readonly blocked: number;
  readonly failed: number;
  readonly timedOut: number;
}

/** How one plugin has done, and what it said last. */
export interface ExecutionProfile {
  /** Points where it was called. */
  readonly points: readonly PointProfile[];
  /** The newest first; inert, secrets taken out. */
  readonly notices: readonly (PluginNotice & { readonly point: ExtensionPoint; readonly at: number })[];
  /** What went wrong last, where something did. */
  readonly lastFailure?: {
    readonly point: ExtensionPoint;
    readonly message: string;
    readonly at: number;
  };
}
