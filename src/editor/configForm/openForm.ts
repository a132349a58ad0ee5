import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import { shownName } from '../plugins/pluginIs.ts';
import { inBackground } from '../registerCommand.ts';
import { formHtml, type FormTexts } from './formHtml.ts';
import { readFromForm, type ShownSecret, type ToForm, type Verdict } from './formMessages.ts';
import { fieldsOf, planForm, type FormField } from './formModel.ts';
import {
  readForm,
  secretState,
  toRawValues,
  type RawValues,
  type FieldProblem,
  type SecretState,
} from './formValues.ts';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';

/** A panel with the form of a plugin, its secrets never in it. */
export function openForm(
  extension: vscode.Uri,
  runtime: Pick<Runtime, 'plugins' | 'host' | 'workspace'>,
  plugin: PluginRecord,
): vscode.WebviewPanel {
  const scripts = vscode.Uri.joinPath(extension, 'dist', 'webview');
  const title = vscode.l10n.t('Configure {0}', shownName(plugin));
  const panel = vscode.window.createWebviewPanel('pincer.configForm', title, vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [scripts],
    // What was typed must not go when the user looks something up in another tab.
    retainContextWhenHidden: true,
  });
  panel.iconPath = new vscode.ThemeIcon('gear');
  const nodes = planForm(plugin.configJsonSchema ?? {}, plugin.configUiHints ?? {});
  const fields = fieldsOf(nodes);
  const config = runtime.plugins.configOf(plugin.id);
  const { webview } = panel;
  let isClosed = false;
  panel.onDidDispose(() => (isClosed = true));
  /** Who has closed the form sees in the Plugins view what became of the settings. */
  const tell = (message: ToForm): void => {
    if (!isClosed) inBackground(webview.postMessage(message));
  };
  webview.onDidReceiveMessage((data: unknown) => {
    const message = readFromForm(data);
    if (message === undefined) return;
    if (message.type === 'open-config') {
      inBackground(vscode.commands.executeCommand('pincer.config.openUser'));
    } else if (message.type === 'changed') {
      tell({ type: 'checked', problems: problemsOf(runtime, plugin.id, fields, message.values) });
    } else {
      inBackground(save(runtime, plugin, fields, message.values).then(tell));
    }
  });
  webview.html = formHtml({
    title,
    about: aboutText(plugin),
    nodes,
    values: toRawValues(fields, config),
    secrets: shownSecrets(fields, config),
    texts: formTexts(),
    nonce: randomBytes(16).toString('base64url'),
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(scripts, 'configForm.js')).toString(),
    language: vscode.env.language,
  });
  return panel;
}

function aboutText({ description }: PluginRecord): string {
  const where = vscode.l10n.t(
    'The settings are in your user config and apply to every workspace. An empty field takes the default.',
  );
  if (description === undefined) return where;
  const about = inertLine(description, 300);
  return `${about}${/[.!?…]$/u.test(about) ? '' : '.'} ${where}`;
}

/** Stores secrets first: the config must never name one that is not there. */
async function save(
  runtime: Pick<Runtime, 'plugins' | 'host' | 'workspace'>,
  plugin: PluginRecord,
  fields: readonly FormField[],
  values: RawValues,
): Promise<ToForm> {
  const { config, secrets, problems } = readForm(
    plugin.id,
    fields,
    values,
    runtime.plugins.configOf(plugin.id),
  );
  const [focus] = Object.keys(problems);
  if (focus !== undefined) {
    return { type: 'checked', problems: problemsOf(runtime, plugin.id, fields, values), focus };
  }
  const find = (): PluginRecord | undefined =>
    runtime.plugins.plugins().find((each) => each.source === plugin.source);
  const known = problemKeys(find());
  for (const { name, value } of secrets) {
    if (value !== undefined) await runtime.host.secrets.set(name, value);
  }
  await runtime.plugins.setConfig(plugin.id, config);
  await runtime.workspace.reloadConfig();
  for (const { name, value } of secrets) {
    if (value === undefined) await runtime.host.secrets.delete(name);
  }
  const written = runtime.plugins.configOf(plugin.id);
  return { type: 'saved', verdict: verdictOf(find(), known), secrets: shownSecrets(fields, written) };
}

function problemsOf(
  runtime: Pick<Runtime, 'plugins'>,
  pluginId: string,
  fields: readonly FormField[],
  values: RawValues,
): Readonly<Record<string, string>> {
  const { problems } = readForm(pluginId, fields, values, runtime.plugins.configOf(pluginId));
  return Object.fromEntries(Object.entries(problems).map(([id, problem]) => [id, problemText(problem)]));
}

function shownSecrets(fields: readonly FormField[], config: unknown): Readonly<Record<string, ShownSecret>> {
  const secrets = fields.filter(({ control }) => control === 'secret');
  return Object.fromEntries(secrets.map((field) => [field.id, shownSecret(secretState(config, field))]));
}

/** The words of the form. */
function formTexts(): FormTexts {
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
function problemText(problem: FieldProblem): string {
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
function shownSecret(state: SecretState): ShownSecret {
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
function verdictOf(plugin: PluginRecord | undefined, known: ReadonlySet<string>): Verdict {
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
function problemKeys(plugin: PluginRecord | undefined): ReadonlySet<string> {
  return new Set(plugin?.diagnostics.map(problemKey));
}

function problemKey({ code, message }: Diagnostic): string {
  return `${code} ${message}`;
}
