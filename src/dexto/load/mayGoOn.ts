import type { Consent } from '../../plugins/consent/consentRecords.ts';
import type { PluginsConfig } from '../../plugins/pluginTypes.ts';
import type { Generation } from './generation.ts';
import { decideDextoEnablement } from './planDextoPlugin.ts';

/**
 * Whether everything that runs is still allowed to: the user has switched none of it off and taken no consent back. That there
 * is a newer version to agree to stops nothing. Pure.
 */
export function mayGoOn(
  { plugins }: Generation,
  { config, consents }: { readonly config: PluginsConfig; readonly consents: readonly Consent[] },
): boolean {
  return plugins.every(({ plan }) => {
    const { id, origin, candidate } = plan;
    const isGiven = consents.some((each) => each.id === id && each.rootDir === candidate.rootDir);
    const consent = origin !== 'workspace' ? 'not-needed' : isGiven ? 'given' : 'never-enabled';
    return decideDextoEnablement(plan, config, consent).enabled;
  });
}
