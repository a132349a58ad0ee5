import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { DiagnosticFix } from '../../contracts/diagnostic.ts';
import { inertLine } from '../../base/text.ts';

/** What a remedy does, as a button or menu entry says it. */
export function fixTitle(fix: DiagnosticFix): string {
  const id = 'pluginId' in fix ? inertLine(fix.pluginId, 60) : '';
  switch (fix.kind) {
    case 'allow-conversation-access':
      return vscode.l10n.t('Let {0} Read Conversations…', id);
    case 'allow-prompt-injection':
      return vscode.l10n.t('Let {0} Change Prompts…', id);
    case 'enable-plugin':
      return vscode.l10n.t('Enable {0}', id);
    case 'disable-plugin':
      return vscode.l10n.t('Disable {0}', id);
    case 'choose-slot':
      return vscode.l10n.t('Use {0} as the {1} Plugin', id, inertLine(fix.slot, 40));
    case 'configure-plugin':
      return vscode.l10n.t('Configure {0}…', id);
    case 'reload-plugin':
      return vscode.l10n.t('Reload {0}', id);
    case 'allow-registrations':
      return vscode.l10n.t('Let {0} Register More…', id);
    case 'show-plugin-changes':
      return vscode.l10n.t('Show Changes of {0}', id);
    case 'forget-plugin':
      return vscode.l10n.t('Continue Without {0}', id);
    case 'reset-consents':
      return vscode.l10n.t('Ask About All Plugins Again');
    case 'open-file':
      return vscode.l10n.t('Open {0}', inertLine(basename(fix.path), 60));
  }
}

/** A question that a remedy asks first, because it gives the plugin more than it had, or takes a guard away. */
interface FixQuestion {
  readonly message: string;
  readonly detail: string;
  readonly button: string;
}

/** Undefined where the remedy gives nothing away and takes no guard. Enabling asks by its own dialog, which lists what the plugin asks for. */
export function fixQuestion(fix: DiagnosticFix, hooks: readonly string[]): FixQuestion | undefined {
  const id = 'pluginId' in fix ? inertLine(fix.pluginId, 60) : '';
  const undo = (key: string): string =>
    vscode.l10n.t(
      'This is saved in your user config and applies to every workspace. To undo it, remove {0} of {1} there.',
      key,
      id,
    );
  switch (fix.kind) {
    case 'allow-conversation-access':
      return {
        message: vscode.l10n.t('Let the plugin {0} read your conversations?', id),
        detail: [
          vscode.l10n.t(
            'It then sees what you write, what the model answers and what tools return. Plugins run with your rights: it can keep or send what it reads.',
          ),
          ...(hooks.length === 0 ? [] : [vscode.l10n.t('It listens to: {0}', hooks.join(', '))]),
          undo('hooks.allowConversationAccess'),
        ].join('\n\n'),
        button: vscode.l10n.t('Allow'),
      };
    case 'allow-prompt-injection':
      return {
        message: vscode.l10n.t('Let the plugin {0} change what the model is told?', id),
        detail: [
          vscode.l10n.t(
            'It can then add to the system prompt and to your messages, and so steer every answer and tool call.',
          ),
          vscode.l10n.t('Your config forbids it now (hooks.allowPromptInjection); this takes that line out.'),
        ].join('\n\n'),
        button: vscode.l10n.t('Allow'),
      };
    case 'allow-registrations':
      return {
        message: vscode.l10n.t('Let the plugin {0} register what was not shown when you enabled it?', id),
        detail: [
          fix.names.map((name) => inertLine(name, 100)).join('\n'),
          vscode.l10n.t(
            'Its code puts these names together while it runs, or a package that it brings registers them. Look at its code first.',
          ),
        ].join('\n\n'),
        button: vscode.l10n.t('Allow'),
      };
    case 'forget-plugin':
      return {
        message: vscode.l10n.t('Continue without the plugin {0}?', id),
        detail: vscode.l10n.t(
          'It could stop what the agent does. Its consent is forgotten: should it come back, it is asked about again.',
        ),
        button: vscode.l10n.t('Continue Without It'),
      };
    case 'reset-consents':
      return {
        message: vscode.l10n.t('Ask about all workspace plugins again?'),
        detail: vscode.l10n.t(
          'The damaged file is kept as consents.json.damaged. Until you enable them again, plugins of your workspaces do not run; those that could stop something stop turns until then.',
        ),
        button: vscode.l10n.t('Ask Again'),
      };
    default:
      return undefined;
  }
}
