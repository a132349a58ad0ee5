import { PincerError } from '../base/errors.ts';
import type { DiagnosticFix } from '../contracts/diagnostic.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import { setPluginEnabled } from './setPluginEnabled.ts';

/** Carries out the remedy of a diagnostic. @throws PincerError `plugin_unknown`, `config_syntax`, `fix_not_here` */
export async function applyFix(plugins: PluginManager, fix: DiagnosticFix): Promise<void> {
  const { pluginId } = fix;
  switch (fix.kind) {
    case 'allow-conversation-access': {
      await plugins.configure(['entries', pluginId, 'hooks', 'allowConversationAccess'], true);
      return;
    }
    case 'allow-prompt-injection': {
      await plugins.configure(['entries', pluginId, 'hooks', 'allowPromptInjection'], undefined);
      return;
    }
    case 'enable-plugin': {
      await setPluginEnabled(plugins, pluginId, true, undefined);
      return;
    }
    case 'disable-plugin': {
      await setPluginEnabled(plugins, pluginId, false, undefined);
      return;
    }
    case 'choose-slot': {
      await plugins.chooseSlot(fix.slot, pluginId);
      return;
    }
    case 'reload-plugin': {
      await plugins.reload(pluginId);
      return;
    }
    case 'configure-plugin':
      throw new PincerError('fix_not_here', `The settings of ${pluginId} are changed in the editor.`, {
        hint: `Or edit plugins.entries.${pluginId}.config in your config.`,
      });
  }
}
