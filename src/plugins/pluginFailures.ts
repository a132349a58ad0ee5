import type { Diagnostic, DiagnosticFix } from '../contracts/diagnostic.ts';
import type { PluginCode } from './load/createModuleLoader.ts';
import { locateFailure } from './load/locateFailure.ts';
import type { PluginPlan } from './planPlugin.ts';
import { errorDiagnostic } from './pluginDiagnostics.ts';
import type { PluginCandidate } from './pluginTypes.ts';

/** Why a plugin is not loaded. */
export interface LoadFailure {
  readonly ok: false;
  readonly phase: 'validation' | 'load' | 'register';
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly declared?: never;
}

const failureTexts = { load: 'failed to load plugin', register: 'plugin failed during register' } as const;

/** The plugin's own code failed; the diagnostic points at its place where the error tells it. */
export function codeFailure(
  plan: PluginPlan,
  phase: 'load' | 'register',
  error: unknown,
  { redact, code }: { readonly redact: (text: string) => string; readonly code: PluginCode },
): LoadFailure {
  const { id, candidate } = plan;
  const {
    message,
    source = candidate.source,
    ...place
  } = locateFailure(error, code.rootDir, candidate.rootDir);
  const hint = hintFor(error, candidate);
  const about = {
    pluginId: id,
    source,
    ...place,
    ...(hint === undefined ? {} : { hint }),
  };
  const kind = phase === 'load' ? 'plugin_load_failed' : 'plugin_register_failed';
  return failed(phase, errorDiagnostic(kind, redact(`${failureTexts[phase]}: ${message}`), about));
}

/** A failure before or beside the plugin's own code. */
export function failure(
  plan: PluginPlan,
  phase: 'validation' | 'load' | 'register',
  message: string,
  hint?: string,
): LoadFailure {
  const { id, candidate, manifestPath, placeOf } = plan;
  const pluginId = id;
  if (phase === 'validation') {
    const fixes: readonly DiagnosticFix[] = [{ kind: 'configure-plugin', pluginId }];
    const about = { pluginId, source: manifestPath, ...placeOf?.(['configSchema']), fixes };
    return failed(phase, errorDiagnostic('plugin_config_invalid', message, about));
  }
  const code = phase === 'load' ? 'plugin_load_failed' : 'plugin_register_failed';
  const about = { pluginId, source: candidate.source, ...(hint === undefined ? {} : { hint }) };
  return failed(phase, errorDiagnostic(code, message, about));
}

/** It did not finish loading, twice. */
export function hung({ id, candidate }: PluginPlan): LoadFailure {
  const message = `plugin ${id} did not finish loading the last two times; it is skipped`;
  const about = {
    pluginId: id,
    source: candidate.source,
    hint: 'It may loop forever. Change it, or reload it to try once more.',
    fixes: [{ kind: 'reload-plugin', pluginId: id }],
  } as const;
  return failed('load', errorDiagnostic('plugin_hung', message, about));
}

function failed(phase: 'validation' | 'load' | 'register', diagnostic: Diagnostic): LoadFailure {
  return { ok: false, phase, message: diagnostic.message, diagnostics: [diagnostic] };
}

function hintFor(error: unknown, { rootDir }: PluginCandidate): string | undefined {
  const missing = error instanceof Error && /^Cannot find (?:module|package)/u.test(error.message);
  return missing ? `Install what the plugin needs inside its own folder: ${rootDir}` : undefined;
}
