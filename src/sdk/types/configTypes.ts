/** The host's configuration, as plugins may read it. It is the user's: nothing writes it but the user. */
export type OpenClawConfig = Readonly<Record<string, unknown>>;

export interface PluginConfigIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type PluginConfigParseResult =
  | { readonly success: true; readonly data?: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly PluginConfigIssue[] } };

/** A schema for plugin settings in code. The manifest's `configSchema` is what the host checks. */
export interface OpenClawPluginConfigSchema {
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  readonly uiHints?: Readonly<Record<string, PluginConfigUiHint>>;
  safeParse?(value: unknown): PluginConfigParseResult;
  /** @throws where the value does not fit */
  parse?(value: unknown): unknown;
  validate?(value: unknown): { readonly ok: boolean; readonly errors?: readonly string[] };
}

/** How a settings form shows one field. */
export interface PluginConfigUiHint {
  readonly label?: string;
  readonly help?: string;
  readonly advanced?: boolean;
  /** The value is a secret: it is shown as dots and never printed. */
  readonly sensitive?: boolean;
  readonly placeholder?: string;
}
