import type { ExtensionPoint, PluginNotice } from './dextoTypes.ts';

/**
 * The codes of the Dexto dialect (Dexto plugin specification, Plugin Validation and PluginManager Class Structure). They
 * begin with `PLUGIN_`, as upstream's error types do.
 */
export type DextoErrorCode = (typeof dextoErrorCodes)[number];

export const dextoErrorCodes = [
  'PLUGIN_LOAD_FAILED',
  'PLUGIN_DEPENDENCY_NOT_INSTALLED',
  'PLUGIN_INVALID_SHAPE',
  'PLUGIN_INSTANTIATION_FAILED',
  'PLUGIN_INITIALIZATION_FAILED',
  'PLUGIN_CONFIGURATION_INVALID',
  'PLUGIN_DUPLICATE_PRIORITY',
  'PLUGIN_EXECUTION_FAILED',
  'PLUGIN_EXECUTION_TIMEOUT',
  'PLUGIN_BLOCKED_EXECUTION',
] as const;

export function isDextoErrorCode(code: unknown): code is DextoErrorCode {
  return dextoErrorCodes.some((each) => each === code);
}

/** Those that a plugin may give at an extension point. */
export function isPluginErrorCode(code: unknown): code is DextoErrorCode {
  return (
    code === 'PLUGIN_BLOCKED_EXECUTION' ||
    code === 'PLUGIN_EXECUTION_FAILED' ||
    code === 'PLUGIN_EXECUTION_TIMEOUT'
  );
}

interface ErrorOptions {
  /** The code, under the name that Dexto plugin specification gives it. */
  readonly type: DextoErrorCode;
  readonly cause?: unknown;
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Something of the plugin system itself went wrong: a plugin can't be loaded, made or initialized. */
export class DextoRuntimeError extends Error {
  readonly type: DextoErrorCode;
  readonly code: DextoErrorCode;
  readonly context: Readonly<Record<string, unknown>>;

  constructor(message: string, { type, cause, context = {} }: ErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DextoRuntimeError';
    this.type = type;
    this.code = type;
    this.context = context;
  }
}

/** The agent file, or the settings of a plugin, are not what they must be. */
export class DextoValidationError extends DextoRuntimeError {
  constructor(
    message: string,
    { type = 'PLUGIN_CONFIGURATION_INVALID', ...rest }: Partial<ErrorOptions> = {},
  ) {
    super(message, { type, ...rest });
    this.name = 'DextoValidationError';
  }
}

/** What {@link DextoPluginError} says about the plugin that stopped something. */
export interface PluginErrorContext {
  readonly plugin: string;
  readonly extensionPoint: ExtensionPoint;
  readonly notices?: readonly PluginNotice[];
}

/** A plugin stopped something, failed or took too long at an extension point (Dexto plugin specification, Error Propagation Flow). */
export class DextoPluginError extends Error {
  readonly code: DextoErrorCode;
  readonly context: PluginErrorContext;

  constructor(
    message: string,
    context: PluginErrorContext,
    { type = 'PLUGIN_BLOCKED_EXECUTION', cause }: Partial<ErrorOptions> = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DextoPluginError';
    this.code = type;
    this.context = context;
  }
}
