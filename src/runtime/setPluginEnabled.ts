import { PincerError } from '../base/errors.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';

/** @throws PincerError `plugin_unknown`, `config_syntax`, `plugin_changed` when the files are no longer those of `seenHash` */
export async function setPluginEnabled(
  plugins: PluginManager,
  id: string,
  isEnabled: boolean,
  seenHash: string | undefined,
): Promise<void> {
  // Of two plugins with one id, the one that waits for consent is meant: the other runs already.
  const records = plugins.plugins().filter((each) => each.id === id);
  const plugin = records.find((each) => each.needsConsent !== undefined) ?? records[0];
  if (plugin === undefined) {
    throw new PincerError('plugin_unknown', `There is no plugin ${id}.`, {
      hint: 'pincer plugins list names all of them.',
    });
  }
  // Consent first: where it fails, nothing may say that the plugin is on.
  if (isEnabled && plugin.needsConsent !== undefined) await plugins.grantConsent(id, seenHash);
  await plugins.setEnabled(id, isEnabled, 'user');
}
