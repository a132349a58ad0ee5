import type { PluginEntry } from '../agentFile/agentFile.ts';
import type { DextoErrorCode } from '../dextoErrors.ts';
import { errorDiagnostic } from '../../plugins/pluginDiagnostics.ts';
import { dextoIdPrefix } from '../../plugins/pluginTypes.ts';
import type { DextoFailure } from './loadTypes.ts';

interface LoadFailure {
  readonly entry: PluginEntry | undefined;
  /** Where the diagnostic points without `source`. */
  readonly agentFile: string;
  readonly phase: DextoFailure['phase'];
  /** By the spec's names. */
  readonly code: DextoErrorCode;
  /** One line; names the plugin, holds no secret. */
  readonly message: string;
  readonly hint?: string;
  /** A file of the plugin's code. */
  readonly source?: string;
  /** 1-based, in `source`. */
  readonly line?: number;
}

/** A failure with its diagnostic: the spec's code in small letters, the place, and the retry as a remedy. Pure. */
export function loadFailure({ entry, agentFile, phase, code, message, ...about }: LoadFailure): DextoFailure {
  const pluginId = entry === undefined ? undefined : `${dextoIdPrefix}${entry.name}`;
  const { hint, source, line = source === undefined ? entry?.line : undefined } = about;
  const diagnostic = errorDiagnostic(code.toLowerCase(), message, {
    source: source ?? agentFile,
    ...(line === undefined ? {} : { line }),
    ...(hint === undefined ? {} : { hint }),
    ...(pluginId === undefined ? {} : { pluginId, fixes: [{ kind: 'reload-plugin', pluginId }] }),
  });
  return { ok: false, phase, message, diagnostic };
}
