/** Something that was dropped, blocked, hidden, overridden or failed, and why. */
export interface Diagnostic {
  readonly level: 'info' | 'warn' | 'error';
  /** Stable, `snake_case`; tests and quick fixes go by it. */
  readonly code: string;
  readonly message: string;
  /** What to do next, where there is something to do. */
  readonly hint?: string;
  readonly pluginId?: string;
  /** Absolute path of the file it is about. */
  readonly source?: string;
  /** The key of a config file that it is about, part by part; line and column follow from it. */
  readonly key?: readonly (string | number)[];
  /** 1-based. */
  readonly line?: number;
  /** 1-based; absent, the whole line. */
  readonly column?: number;
  /** What a front end can do about it with one click; the best first. */
  readonly fixes?: readonly DiagnosticFix[];
}

/** A remedy as data: `Runtime.applyFix` carries it out, front ends only name it. */
export type DiagnosticFix =
  /** Sets `plugins.entries.<id>.hooks.allowConversationAccess` in the user's config. */
  | { readonly kind: 'allow-conversation-access'; readonly pluginId: string }
  /** Takes `allowPromptInjection: false` out of the user's config. */
  | { readonly kind: 'allow-prompt-injection'; readonly pluginId: string }
  /** Switches the plugin on; for one of the workspace this is the consent to its present files. */
  | { readonly kind: 'enable-plugin'; readonly pluginId: string }
  | { readonly kind: 'disable-plugin'; readonly pluginId: string }
  /** Lets this plugin fill the exclusive slot; others of its kind step back. */
  | { readonly kind: 'choose-slot'; readonly slot: string; readonly pluginId: string }
  /** Opens the settings of the plugin; front ends do it themselves. */
  | { readonly kind: 'configure-plugin'; readonly pluginId: string }
  /** Loads the plugin once more, also one that was skipped because it never finished loading. */
  | { readonly kind: 'reload-plugin'; readonly pluginId: string }
  /** Shows what has changed in the plugin's files since the user agreed to them; front ends do it themselves. */
  | { readonly kind: 'show-plugin-changes'; readonly pluginId: string }
  /** Lets a workspace plugin register what was not shown when it was enabled; each as `kind name`. */
  | { readonly kind: 'allow-registrations'; readonly pluginId: string; readonly names: readonly string[] }
  /** Goes on without a plugin of this folder that is not there any more. */
  | { readonly kind: 'forget-plugin'; readonly pluginId: string; readonly rootDir: string }
  /** Puts a file of consents that can't be read aside: every workspace plugin is asked about again. */
  | { readonly kind: 'reset-consents' }
  /** Opens a file; front ends do it themselves. Absolute path. */
  | { readonly kind: 'open-file'; readonly path: string };
