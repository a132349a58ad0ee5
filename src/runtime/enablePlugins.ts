import { PincerError } from '../base/errors.ts';
import { userConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import type { DiagnosticFix } from '../contracts/diagnostic.ts';
import type { FileSystem } from '../host/ports.ts';
import type { OperatorHooks } from '../plugins/operatorHooks/createOperatorHooks.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { AllPlugins } from './joinDialects.ts';

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

/** @throws PincerError `hook_unknown`, `hook_changed` when the files are no longer those of `seenHash`, `config_syntax` */
export async function setHookEnabled(
  { hooks, fs, home }: { readonly hooks: OperatorHooks; readonly fs: FileSystem; readonly home: string },
  name: string,
  isEnabled: boolean,
  seenHash: string | undefined,
): Promise<void> {
  const records = hooks.list().filter((each) => each.name === name);
  const record = records.find((each) => each.needsConsent !== undefined) ?? records[0];
  if (record === undefined) {
    throw new PincerError('hook_unknown', `There is no operator hook ${name}.`, {
      hint: 'pincer hooks list names all of them.',
    });
  }
  // Consent first: where it fails, nothing may say that the hook is on.
  if (isEnabled && record.needsConsent !== undefined) await hooks.grantConsent(name, seenHash);
  await editConfigFile(
    fs,
    userConfigPath(home),
    ['hooks', 'internal', 'entries', record.key, 'enabled'],
    isEnabled,
  );
}

/** Carries out the remedy of a diagnostic. @throws PincerError `plugin_unknown`, `config_syntax`, `fix_not_here` */
export async function applyFix(plugins: AllPlugins, fix: DiagnosticFix): Promise<void> {
  switch (fix.kind) {
    case 'allow-conversation-access': {
      await plugins.configure(['entries', fix.pluginId, 'hooks', 'allowConversationAccess'], true);
      return;
    }
    case 'allow-prompt-injection': {
      await plugins.configure(['entries', fix.pluginId, 'hooks', 'allowPromptInjection'], undefined);
      return;
    }
    case 'enable-plugin': {
      await setPluginEnabled(plugins, fix.pluginId, true, undefined);
      return;
    }
    case 'disable-plugin': {
      await setPluginEnabled(plugins, fix.pluginId, false, undefined);
      return;
    }
    case 'choose-slot': {
      await plugins.chooseSlot(fix.slot, fix.pluginId);
      return;
    }
    case 'reload-plugin': {
      await plugins.reload(fix.pluginId);
      return;
    }
    case 'allow-registrations': {
      await plugins.allowRegistrations(fix.pluginId, fix.names);
      return;
    }
    case 'forget-plugin': {
      await plugins.forget(fix.pluginId, fix.rootDir);
      return;
    }
    case 'reset-consents': {
      await plugins.resetConsents();
      return;
    }
    case 'configure-plugin':
      throw new PincerError('fix_not_here', `The settings of ${fix.pluginId} are changed in the editor.`, {
        hint: `Or edit plugins.entries.${fix.pluginId}.config in your config.`,
      });
    case 'show-plugin-changes':
    case 'open-file':
      throw new PincerError('fix_not_here', 'Files are shown in the editor.');
  }
}
