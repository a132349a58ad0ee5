// Threat: the files of a workspace plugin change after the user's consent. Its older version may go on running from a snapshot,
// but skills are read from the folder as it is now: until the user has agreed again, it brings none.
import { resolve } from 'node:path';
import { isInside } from './discover/isInside.ts';
import type { PluginPlan } from './planPlugin.ts';
import type { PluginSkillFolder } from './pluginManager.ts';

/** The folders that a plugin's manifest names as `skills`; those outside of the plugin don't count. Pure. */
export function skillFoldersOf({
  id,
  candidate,
  manifest,
  needsConsent,
}: Pick<PluginPlan, 'id' | 'candidate' | 'manifest' | 'needsConsent'>): readonly PluginSkillFolder[] {
  if (needsConsent !== undefined) return [];
  const { rootDir } = candidate;
  return (manifest?.skills ?? [])
    .map((written) => ({ pluginId: id, rootDir, folder: resolve(rootDir, written) }))
    .filter(({ folder }) => isInside(rootDir, folder));
}
