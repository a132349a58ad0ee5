import { errorMessage } from '../../base/errors.ts';
import { locateFailure } from '../../plugins/load/locateFailure.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import { warnDiagnostic } from '../../plugins/pluginDiagnostics.ts';
import { protectGlobals } from '../../plugins/register/protectGlobals.ts';
import { withDeadline } from '../../plugins/withDeadline.ts';
import { dextoIdPrefix } from '../../plugins/pluginTypes.ts';
import type { CheckedPlugin } from './loadTypes.ts';

/** How long one plugin may take. Milliseconds. */
const timeoutMs = 5_000;

/**
 * Lets plugins clean up, the last one that was initialized first, one after the other; each has 5 s, so that one that hangs
 * keeps nobody else from it. Never rejects: what fails or takes too long is told.
 */
export async function cleanUpPlugins(
  clock: Clock,
  plugins: readonly CheckedPlugin[],
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const { plugin, code } of plugins.toReversed()) {
    const { name, instance, redact } = plugin;
    try {
      const { result } = protectGlobals((): unknown => instance.cleanup?.());
      await withDeadline(Promise.resolve(result), timeoutMs, clock);
    } catch (error) {
      const message = redact(`cleanup of plugin '${name}' failed: ${errorMessage(error)}`);
      diagnostics.push(
        warnDiagnostic('plugin_cleanup_failed', message, {
          pluginId: `${dextoIdPrefix}${name}`,
          ...placeOf(error, code),
          hint: `Correct its cleanup(), which may take ${String(timeoutMs / 1_000)} s.`,
        }),
      );
    }
  }
  return diagnostics;
}

/** Where in the plugin's files it failed, or the file of its code. */
function placeOf(
  error: unknown,
  code: CheckedPlugin['code'],
): { readonly source?: string; readonly line?: number } {
  if (code === undefined) return {};
  const { source = code.source, line } = locateFailure(error, code.codeDir, code.rootDir);
  return { source, ...(line === undefined ? {} : { line }) };
}
