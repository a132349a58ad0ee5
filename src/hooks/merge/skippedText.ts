import type { HookName } from '../hookMap.ts';

/** Why a hook that fails closed has stopped something, where its plugin was not even asked. Pure. */
export function skippedText(pluginId: string, hook: HookName): string {
  return `the plugin ${pluginId} did not come back from ${hook} the last two times and is skipped; to try it again, change it or reload it in the Plugins view`;
}
