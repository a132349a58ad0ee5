import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { inertLine } from '../../base/text.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/index.ts';
import { shownName } from '../plugins/pluginIs.ts';
import { inBackground } from '../registerCommand.ts';
import { formHtml } from './formHtml.ts';
import { readFromForm, type ShownSecret, type ToForm } from './formMessages.ts';
import { fieldsOf, planForm, type FormField } from './formModel.ts';
import { formTexts, problemKeys, problemText, shownSecret, verdictOf } from './formTexts.ts';
import { readForm, secretState, toRawValues, type RawValues } from './formValues.ts';

/** A panel with the form of a plugin, its secrets never in it. */
export function openForm(extension: vscode.Uri, runtime: Runtime, plugin: PluginRecord): vscode.WebviewPanel {
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
  runtime: Runtime,
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
  runtime: Runtime,
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
