import { errorMessage } from '../../base/errors.ts';
import { copyData } from '../../base/untrusted.ts';
import type { Clock } from '../../host/ports.ts';
import type { HangGuard } from '../../plugins/createHangGuard.ts';
import { protectGlobals } from '../../plugins/register/protectGlobals.ts';
import { withDeadline } from '../../plugins/withDeadline.ts';
import { codeFailure } from './codeFailure.ts';
import { hangContentOf, initializeIdOf } from './entryFileOf.ts';
import { loadFailure } from './loadFailure.ts';
import type { CheckedPlugin, DextoFailure } from './loadTypes.ts';

/** How long a plugin may take to initialize itself. Milliseconds. */
const timeoutMs = 30_000;

/**
 * Lets a plugin initialize itself with a copy of its settings (Dexto plugin specification, Initialization Behavior); an empty object where the
 * agent file gives none. Never rejects. What it does after its time is ignored.
 */
export async function initializeDextoPlugin(
  { clock, hangGuard }: { readonly clock: Clock; readonly hangGuard: HangGuard },
  checked: CheckedPlugin,
  agentFile: string,
): Promise<{ readonly ok: true } | DextoFailure> {
  const { plugin, entry, code } = checked;
  const { instance } = plugin;
  const run = async (): Promise<void> => {
    // What it returns counts only as the end of its work.
    const { result } = protectGlobals((): unknown => instance.initialize?.(copyData(entry.config)));
    await withDeadline(Promise.resolve(result), timeoutMs, clock);
  };
  try {
    if (code === undefined) await run();
    else await hangGuard.watch(initializeIdOf(entry.name), hangContentOf(code), run);
    return { ok: true };
  } catch (error) {
    if (code !== undefined) return codeFailure(code, 'initialize', error);
    const message = plugin.redact(`plugin '${entry.name}' could not be initialized: ${errorMessage(error)}`);
    return loadFailure({
      ...{ entry, agentFile, message },
      phase: 'register',
      code: 'PLUGIN_INITIALIZATION_FAILED',
    });
  }
}
