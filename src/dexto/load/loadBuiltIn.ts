import { errorMessage } from '../../base/errors.ts';
import type { PluginEntry } from '../../config/agentFile/agentFile.ts';
import type { BuiltIns } from '../builtins/builtIn.ts';
import type { Clock } from '../../host/ports.ts';
import { extensionPoints } from '../pointRules.ts';
import { loadFailure } from './loadFailure.ts';
import type { DextoLoadOutcome } from './loadTypes.ts';

interface BuiltInToLoad {
  readonly entry: PluginEntry;
  readonly agentFile: string;
  readonly redact: (text: string) => string;
}

/** Makes a plugin that ships with the program (Dexto plugin specification, Built-In Plugin Registry Pattern). Never throws. */
export function loadBuiltIn(
  { builtIns, clock }: { readonly builtIns: BuiltIns; readonly clock: Clock },
  { entry, agentFile, redact }: BuiltInToLoad,
): DextoLoadOutcome {
  const { name, blocking, priority, timeoutMs } = entry;
  const start = clock.monotonic();
  const about = { entry, agentFile, phase: 'load' } as const;
  const builtIn = Object.hasOwn(builtIns, name) ? builtIns[name] : undefined;
  if (builtIn === undefined) {
    const message = `there is no built-in plugin '${name}'`;
    const hint = `Built-in plugins are: ${Object.keys(builtIns).join(', ')}.`;
    return loadFailure({ ...about, code: 'PLUGIN_CONFIGURATION_INVALID', message, hint });
  }
  try {
    const instance = builtIn.create();
    const points = extensionPoints.filter((point) => typeof instance[point] === 'function');
    return {
      ok: true,
      plugin: { name, instance, points, blocking, priority, timeoutMs, redact },
      entry,
      loadMs: clock.monotonic() - start,
      diagnostics: [],
      dispose: () => undefined,
    };
  } catch (error) {
    const message = redact(`plugin '${name}' could not be made: ${errorMessage(error)}`);
    return loadFailure({ ...about, code: 'PLUGIN_INSTANTIATION_FAILED', message });
  }
}
