import type { DisabledBy } from './pluginTypes.ts';
import type { Diagnostic, DiagnosticFix } from '../contracts/diagnostic.ts';
import type { Enablement } from './enablement.ts';
import { infoDiagnostic } from './pluginDiagnostics.ts';

/** Nobody switched it off, or something else says why. */
const silent: readonly DisabledBy[] = ['default', 'agent-file', 'problem', 'override'];

/** Says why a plugin does not run and what would change that; undefined where nothing is to be said. Pure. */
export function explainDisabled(id: string, source: string, enablement: Enablement): Diagnostic | undefined {
  if (enablement.enabled || silent.includes(enablement.by)) return undefined;
  const { hint, fixes = [] } = remedy(id, enablement);
  return infoDiagnostic('plugin_disabled', `plugin ${id} does not run: ${enablement.reason}`, {
    pluginId: id,
    source,
    hint,
    ...(fixes.length === 0 ? {} : { fixes }),
  });
}

interface Remedy {
  readonly hint: string;
  readonly fixes?: readonly DiagnosticFix[];
}

function remedy(id: string, { by, slot }: Extract<Enablement, { enabled: false }>): Remedy {
  const enable: DiagnosticFix = { kind: 'enable-plugin', pluginId: id };
  switch (by) {
    case 'master-switch':
      return { hint: 'Take plugins.enabled: false out of your config.' };
    case 'denylist':
      return { hint: 'Take it out of plugins.deny to let it run.' };
    case 'allowlist':
      return { hint: 'Add it to plugins.allow to let it run.' };
    case 'broken-config':
      return { hint: 'Correct your config file first.' };
    case 'trust':
      return { hint: 'Trust the workspace to let its plugins and your own run.' };
    case 'slot':
      return {
        hint: 'Choose it for the slot to let it run instead.',
        ...(slot === undefined ? {} : { fixes: [{ kind: 'choose-slot', slot, pluginId: id }] }),
      };
    case 'consent':
      return { hint: 'Look at what it asks for, then enable it.', fixes: [enable] };
    case 'entry':
    case 'default':
    case 'agent-file':
    case 'problem':
    case 'override':
      return { hint: 'Enable it to let it run.', fixes: [enable] };
  }
}
