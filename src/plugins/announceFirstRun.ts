import { PincerError } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ConsentStore } from './consent/consentStore.ts';
import { infoDiagnostic } from './pluginDiagnostics.ts';
import type { PluginPlan } from './planPlugin.ts';

/** A plugin of the home folder that is about to run for the first time is announced, once, with what it asks for. */
export async function announceFirstRun(plan: PluginPlan, store: ConsentStore): Promise<PluginPlan> {
  const { candidate, enablement } = plan;
  if (candidate.origin !== 'global' || !enablement.enabled) return plan;
  const isFirst = await isFirstRun(plan, store);
  return isFirst ? { ...plan, diagnostics: [...plan.diagnostics, announcement(plan)] } : plan;
}

/** Where that can't be noted, it is announced again each time: better twice than never. */
async function isFirstRun({ id, candidate }: PluginPlan, store: ConsentStore): Promise<boolean> {
  try {
    return await store.announceOnce(id, candidate.rootDir);
  } catch (error) {
    if (error instanceof PincerError) return true;
    throw error;
  }
}

function announcement({ id, candidate, asks }: PluginPlan): Diagnostic {
  const wants = [...(asks?.hooks ?? []), ...(asks?.tools ?? []), ...(asks?.reaches ?? [])].join(', ');
  const message = `plugin ${id} from ${candidate.rootDir} runs for the first time; it asks for ${wants || 'nothing that its text shows'}`;
  return infoDiagnostic('plugin_first_run', message, {
    pluginId: id,
    source: candidate.source,
    hint: 'Disable it if you did not put it there.',
    fixes: [{ kind: 'disable-plugin', pluginId: id }],
  });
}
