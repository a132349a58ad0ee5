import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { notificationText } from '../notificationText.ts';
import { registerCommand } from '../registerCommand.ts';

/** Where most people's models listen; the first is what a newcomer with a local model has. */
const presets = [
  { label: 'Ollama', baseUrl: 'http://localhost:11434/v1' },
  { label: 'LM Studio', baseUrl: 'http://localhost:1234/v1' },
  { label: 'vLLM', baseUrl: 'http://localhost:8000/v1' },
  { label: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
];

export function registerModelCommands(runtime: LazyRuntime): vscode.Disposable {
  return registerCommand('pincer.models.add', async () => await addModel(await runtime.get()));
}

/** Address, key, model: three questions, then the model stands in the user config and in the picker. */
async function addModel(runtime: Runtime): Promise<void> {
  const baseUrl = await askBaseUrl();
  if (baseUrl === undefined) return;
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add model: key'),
    prompt: vscode.l10n.t('Kept in VS Code secret storage. Leave empty for a local server without a key.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return;
  const id = await askModel(runtime, baseUrl, key);
  if (id === undefined) return;
  await runtime.addModel({ baseUrl, key, id });
  void vscode.window.showInformationMessage(
    vscode.l10n.t('{0} is now the default model. Pick models in the chat input.', id),
  );
}

async function askBaseUrl(): Promise<string | undefined> {
  const other = { label: vscode.l10n.t('Another OpenAI-compatible server…'), baseUrl: '' };
  const picked = await vscode.window.showQuickPick(
    [...presets, other].map((preset) => ({ ...preset, description: preset.baseUrl })),
    { title: vscode.l10n.t('Add model: server'), ignoreFocusOut: true },
  );
  if (picked?.baseUrl !== '') return picked?.baseUrl;
  return await vscode.window.showInputBox({
    title: vscode.l10n.t('Add model: address'),
    prompt: vscode.l10n.t('Up to and including /v1'),
    value: 'http://localhost:8080/v1',
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^https?:\/\/\S+$/u.test(value)
        ? undefined
        : vscode.l10n.t('An address that starts with http:// or https://'),
  });
}

async function askModel(runtime: Runtime, baseUrl: string, key: string): Promise<string | undefined> {
  const title = vscode.l10n.t('Add model: name');
  try {
    const models = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Asking {0} for its models', baseUrl),
      },
      () => runtime.listModels({ baseUrl, key }),
    );
    if (models.length > 0)
      return await vscode.window.showQuickPick([...models], { title, ignoreFocusOut: true });
  } catch (error) {
    void vscode.window.showWarningMessage(
      notificationText(vscode.l10n.t('The server did not list its models: {0}', errorMessage(error))),
    );
  }
  return await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t("The server's name for the model"),
    ignoreFocusOut: true,
  });
}
