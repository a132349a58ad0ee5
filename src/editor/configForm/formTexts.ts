import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { FormTexts } from './formHtml.ts';
import type { ShownSecret, Verdict } from './formMessages.ts';
import type { FieldProblem, SecretState } from './formValues.ts';

/** The words of the form. */
export function formTexts(): FormTexts {
  return {
    save: vscode.l10n.t('Save'),
    reset: vscode.l10n.t('Reset to Defaults'),
    openConfig: vscode.l10n.t('Open config.jsonc'),
    advanced: vscode.l10n.t('Advanced'),
    required: vscode.l10n.t('required'),
    defaultIs: (value) => vscode.l10n.t('Default: {0}', inertLine(value, 80)),
    noChoice: vscode.l10n.t('Not set'),
    onePerLine: vscode.l10n.t('One value per line.'),
    asJson: vscode.l10n.t('As JSON.'),
    clear: vscode.l10n.t('Forget the stored value'),
    noSettings: vscode.l10n.t('This plugin declares no settings.'),
  };
}

/** What is wrong with one field, below it. */
export function problemText(problem: FieldProblem): string {
  switch (problem.is) {
    case 'required':
      return vscode.l10n.t('Enter a value.');
    case 'no-number':
      return vscode.l10n.t('Enter a number.');
    case 'no-integer':
      return vscode.l10n.t('Enter a whole number.');
    case 'no-choice':
      return vscode.l10n.t('Choose one from the list.');
    case 'too-small':
      return vscode.l10n.t('At least {0}.', problem.limit);
    case 'too-large':
      return vscode.l10n.t('At most {0}.', problem.limit);
    case 'too-short':
      return vscode.l10n.t('At least {0} characters.', problem.limit);
    case 'too-long':
      return vscode.l10n.t('At most {0} characters.', problem.limit);
    case 'no-json':
      return vscode.l10n.t('Invalid JSON: {0}', inertLine(problem.message, 160));
  }
}

/** How a secret field looks in each state. */
export function shownSecret(state: SecretState): ShownSecret {
  switch (state) {
    case 'empty':
      return { placeholder: vscode.l10n.t('Not set'), canClear: false };
    case 'stored':
      return { placeholder: vscode.l10n.t('Stored; type to replace it'), canClear: true };
    case 'environment':
      return {
        placeholder: vscode.l10n.t('From the environment; type to store one instead'),
        canClear: true,
      };
    case 'plain-text':
      return {
        placeholder: vscode.l10n.t('In plain text in your config; type to store it in secret storage'),
        canClear: true,
      };
  }
}

/**
 * How the plugin took its settings, from its record after loading with them. What was wrong before (`known`, see
 * `problemKeys`) has nothing to do with them.
 */
export function verdictOf(plugin: PluginRecord | undefined, known: ReadonlySet<string>): Verdict {
  if (plugin === undefined) {
    return { level: 'warn', title: vscode.l10n.t('Saved. The plugin is not there any more.'), details: [] };
  }
  const added = plugin.diagnostics.filter((each) => each.level !== 'info' && !known.has(problemKey(each)));
  const details = added.slice(0, 10).map((each) => inertLine(describeDiagnostic(each), 400));
  const reason = inertLine(plugin.reason, 300);
  if (plugin.status === 'error' || added.some(({ level }) => level === 'error')) {
    const title = vscode.l10n.t('Saved, but the plugin does not accept it: {0}', reason);
    return { level: 'error', title, details };
  }
  if (plugin.status === 'disabled') {
    const title = vscode.l10n.t('Saved. It takes effect once the plugin runs; now it does not: {0}', reason);
    return { level: 'warn', title, details };
  }
  const title = vscode.l10n.t('Saved. The plugin runs with these settings.');
  return { level: details.length === 0 ? 'ok' : 'warn', title, details };
}

/** Tells the problems of a plugin apart. */
export function problemKeys(plugin: PluginRecord | undefined): ReadonlySet<string> {
  return new Set(plugin?.diagnostics.map(problemKey));
}

function problemKey({ code, message }: Diagnostic): string {
  return `${code} ${message}`;
}
