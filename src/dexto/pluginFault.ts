// Threat: log and trace outlive the turn, and where plugins see the conversation a thrown text may quote it. What the host itself says of
// an error may be told everywhere: its class, a code of Node's, the place in the plugin's own files.
import { errorMessage, PincerError } from '../base/errors.ts';
import { inertText, truncate } from '../base/text.ts';
import { DextoRuntimeError, type DextoErrorCode } from './dextoErrors.ts';
import { httpStatusOfError } from './httpStatus.ts';
import type { LoadedPlugin } from './loadedPlugin.ts';

/** What a plugin threw at an extension point. */
export interface PluginFault {
  readonly code: DextoErrorCode;
  readonly httpStatus: number;
  /** Its words and its place; inert, without the plugin's secrets. */
  readonly text: string;
  /** The same without words that may quote the conversation. */
  readonly safeText: string;
}

const maxText = 1_000;

/** Reads what a plugin threw; never throws, whatever that is. */
export function readFault(
  error: unknown,
  { redact, locate }: Pick<LoadedPlugin, 'redact' | 'locate'>,
): PluginFault {
  const place = locate?.(error);
  const at = place === undefined ? '' : ` (${place})`;
  const words = truncate(inertText(redact(errorMessage(error))), maxText);
  const safe = error instanceof PincerError ? words : classOf(error);
  return {
    code: error instanceof DextoRuntimeError ? error.code : 'PLUGIN_EXECUTION_FAILED',
    httpStatus: httpStatusOfError(error),
    text: `${words}${at}`,
    safeText: `${safe}${at}`,
  };
}

/** `TypeError`, `Error ENOENT`; by the prototype, since a plugin may write anything into the error itself. */
function classOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return `a thrown ${error === null ? 'null' : typeof error}`;
    const { constructor: made } = Object.getPrototypeOf(error) as { constructor?: { name?: unknown } };
    const name = typeof made?.name === 'string' && /^[A-Z]\w{0,59}$/u.test(made.name) ? made.name : 'Error';
    const code: unknown = 'code' in error ? error.code : undefined;
    return typeof code === 'string' && /^(?:E[A-Z]{2,20}|ERR_[A-Z_]{1,60}|MODULE_NOT_FOUND)$/u.test(code)
      ? `${name} ${code}`
      : name;
  } catch {
    // A proxy whose traps throw.
    return 'an error that can not be read';
  }
}
