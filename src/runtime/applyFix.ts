import { PincerError } from '../base/errors.ts';
import type { DiagnosticFix } from '../contracts/diagnostic.ts';
import type { AllPlugins } from './joinDialects.ts';
import { setPluginEnabled } from './setPluginEnabled.ts';

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
