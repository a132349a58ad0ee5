// Threat: log and trace outlive the turn, and where plugins see the conversation a thrown text may quote it. What the host itself says of
// an error may be told everywhere: its class, a code of Node's, the place in the plugin's own files. An error of the host's that a plugin
// has caught may quote the conversation, too: its message names a key, or the plugin has written into it. So it is told by its code, in
// words that stand here.
import { basename } from 'node:path';
import { errorMessage, PincerError } from '../base/errors.ts';
import { inertText, truncate } from '../base/text.ts';
import { DextoRuntimeError, isDextoErrorCode, type DextoErrorCode } from './dextoErrors.ts';
import { httpStatusOfError } from './httpStatus.ts';
import type { LoadedPlugin } from './loadedPlugin.ts';
import { InvalidAnswer } from './readPluginAnswer.ts';

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
  { redact, locate, source }: Pick<LoadedPlugin, 'redact' | 'locate' | 'source'>,
): PluginFault {
  // A wrong answer comes from no line that could be told.
  const file = InvalidAnswer.isOne(error) && source !== undefined ? basename(source) : undefined;
  const place = locate?.(error) ?? file;
  const at = place === undefined ? '' : ` (${place})`;
  const words = truncate(inertText(redact(errorMessage(error))), maxText);
  const safe = InvalidAnswer.isOne(error) ? words : (saidByCode(error) ?? classOf(error));
  return {
    code: codeOf(error) ?? 'PLUGIN_EXECUTION_FAILED',
    httpStatus: httpStatusOfError(error),
    text: `${words}${at}${truncate(inertText(redact(remedyOf(error))), maxText)}`,
    safeText: `${safe}${at}`,
  };
}

/** The code of an error of this dialect; reads it once. */
function codeOf(error: unknown): DextoErrorCode | undefined {
  try {
    const code: unknown = error instanceof DextoRuntimeError ? error.code : undefined;
    return isDextoErrorCode(code) ? code : undefined;
  } catch {
    // A proxy whose traps throw, or a code that does.
    return undefined;
  }
}

/** What an error of the host's says to do. */
function remedyOf(error: unknown): string {
  try {
    return error instanceof PincerError && typeof error.hint === 'string' && error.hint !== ''
      ? ` ${error.hint}`
      : '';
  } catch {
    // A proxy whose traps throw.
    return '';
  }
}

const wordsByCode: ReadonlyMap<unknown, string> = new Map([
  ['plugin_sdk_symbol_missing', 'it used something that @dexto/core does not have here'],
  ['plugin_call_hung', 'it did not come back the last two times, so it is not called'],
  ['storage_unavailable', 'the storage can not be reached that the agent file names'],
  ['storage_timeout', 'the storage did not answer in time'],
  ['storage_failed', 'the storage refused what it asked for'],
  ['storage_closed', 'the storage is closed'],
  ['storage_busy', 'another window has been writing the storage for too long'],
  ['storage_full', 'the storage is full'],
  ['storage_damaged', 'the storage file is damaged'],
  ['storage_foreign_file', 'the storage file is not one of Pincer'],
  ['storage_invalid_address', 'the address of the storage is wrong'],
  ['storage_invalid_key', 'it used a key that the storage does not take: a key is a text of 1 to 1024 bytes'],
  [
    'storage_invalid_range',
    'it asked the storage for a range that is none: start and count are whole numbers from 0 on',
  ],
  ['storage_invalid_ttl', 'it gave the storage a time that is none: it is in seconds, and more than 0'],
  ['storage_not_json', 'it gave the storage a value that is no JSON'],
  ['storage_too_large', 'it gave the storage a value that is too large'],
  ['storage_not_a_list', 'it used a stored value as a list that is none'],
  ['storage_unreadable', 'a stored value can not be read'],
]);

/** The words for an error of the host's, whoever has written into it meanwhile; reads the code once. */
function saidByCode(error: unknown): string | undefined {
  try {
    return error instanceof PincerError ? wordsByCode.get(error.code) : undefined;
  } catch {
    // A proxy whose traps throw.
    return undefined;
  }
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
