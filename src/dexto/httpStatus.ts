import { PincerError } from '../base/errors.ts';
import { DextoPluginError, DextoValidationError } from './dextoErrors.ts';
import type { PluginNotice } from './dextoTypes.ts';

const statusByCode: ReadonlyMap<string | undefined, number> = new Map([
  ['QUOTA_EXCEEDED', 429],
  ['TOOL_NOT_ALLOWED', 403],
  ['UNAUTHORIZED', 401],
]);

/** The HTTP status of a block: by the first notice whose code is known, else 403 (Dexto plugin specification, Error Propagation Flow). */
export function httpStatusOf(notices: readonly Pick<PluginNotice, 'code'>[]): number {
  for (const { code } of notices) {
    const status = statusByCode.get(code);
    if (status !== undefined) return status;
  }
  return 403;
}

/**
 * The HTTP status of an error of this dialect: of a block by its notices, 400 for what is configured wrong, 500 for a plugin that failed
 * or took too long, and for every other error. Never throws: a plugin may have made the error.
 */
export function httpStatusOfError(error: unknown): number {
  try {
    return statusOf(error);
  } catch {
    // A proxy whose traps throw, notices that are no list, causes in a cycle.
    return 500;
  }
}

function statusOf(error: unknown): number {
  if (error instanceof DextoPluginError)
    return error.code === 'PLUGIN_BLOCKED_EXECUTION' ? httpStatusOf(error.context.notices ?? []) : 500;
  if (error instanceof DextoValidationError) return 400;
  if (!(error instanceof PincerError)) return 500;
  if (settingsCode.test(error.code)) return 400;
  return error.cause === undefined ? 500 : statusOf(error.cause);
}

/** Codes of diagnostics: agent file, config and settings of plugins. */
const settingsCode = /^(?:agent_file_|config_|plugin_configuration_invalid$|plugin_duplicate_priority$)/u;
