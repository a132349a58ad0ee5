import type { DextoPlugin, ExtensionPoint } from './dextoTypes.ts';

/** A plugin that is ready: loaded, checked and initialized. */
export interface LoadedPlugin {
  readonly name: string;
  readonly instance: DextoPlugin;
  readonly points: readonly ExtensionPoint[];
  readonly blocking: boolean;
  /** Lower runs first. */
  readonly priority: number;
  /** Time limit at each extension point, in milliseconds. */
  readonly timeoutMs: number;
  /** Takes the secrets of its settings out of a text, and the place of the copy that it runs from. */
  readonly redact: (text: string) => string;
  /** The file of its code, as people know it; absent for built-in ones. */
  readonly source?: string;
  /** Where in its files an error comes from: `guard.ts:12`; undefined where nothing tells. */
  readonly locate?: (error: unknown) => string | undefined;
  /** Calls one of its methods; `what` names it. Absent, it is called at once. */
  readonly call?: <T>(what: string, work: () => T) => T;
}
