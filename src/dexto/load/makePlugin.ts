import { dirname } from 'node:path';
import { copyData } from '../../base/untrusted.ts';
import { missingSymbol } from '../../plugins/openclaw/missingSymbol.ts';
import { isConstructible, type PluginExport } from './findPluginExport.ts';
import { readFactorySettings } from './readFactorySettings.ts';
import type { DextoCode } from './loadTypes.ts';

/** What an export made, and the settings as it reads them. */
type MadePlugin =
  | { readonly ok: true; readonly made: unknown; readonly config: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/**
 * Makes the plugin, once. A class gets no arguments (Dexto plugin specification, Plugin Validation); functions and factories of later versions get
 * the settings and what is known of the agent.
 * @throws whatever the plugin's code throws
 */
export function makePlugin(
  found: PluginExport,
  { entry, agentFile }: Pick<DextoCode, 'entry' | 'agentFile'>,
): MadePlugin {
  const { config } = entry;
  if (found.kind === 'class') return { ok: true, made: Reflect.construct(found.make, []), config };
  const context = contextFor(entry.name, agentFile);
  if (found.kind === 'function') {
    const { make } = found;
    const args = [copyData(config), context] as const;
    // A function that fills `this`, as classes were once written; one that returns an object gives that all the same.
    const made: unknown = isConstructible(make)
      ? Reflect.construct(make as unknown as new () => unknown, args)
      : make(...args);
    return { ok: true, made, config };
  }
  const settings = readFactorySettings(found.make, copyData(config), entry.name);
  if (!settings.ok) return settings;
  const parsed = settings.config as Readonly<Record<string, unknown>>;
  return { ok: true, made: found.make.create(copyData(parsed), context), config: parsed };
}

/** Upstream hands its services over here; at this time there is no turn whose services they could be. */
function contextFor(name: string, agentFile: string): unknown {
  const missing = (service: string): unknown => missingSymbol(service, 'the creation context', name);
  return {
    configDir: dirname(agentFile),
    agentEventBus: missing('agentEventBus'),
    storageManager: missing('storageManager'),
  };
}
