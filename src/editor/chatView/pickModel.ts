import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';

/** What stands for no model of its own. */
export function defaultModelTitle(): string {
  return vscode.l10n.t('Default of the config');
}

/** Asks in VS Code. Gives the id of a row; undefined where none was picked, or a model is added. */
export async function pickModel({ models }: Pick<Runtime, 'models'>): Promise<string | undefined> {
  const automatic = { label: defaultModelTitle(), description: '' };
  const picks = models
    .list()
    .map(({ info: { name, provider, model } }) => ({ label: name, description: `${provider}/${model}` }));
  const add = { label: vscode.l10n.t('Add Model…'), description: '' };
  const title = vscode.l10n.t('Model of This Session');
  const picked = await vscode.window.showQuickPick([automatic, ...picks, add], { title });
  if (picked !== add) return picked?.description;
  await vscode.commands.executeCommand('pincer.models.add');
  return undefined;
}

/** The model that answers next, or why there is none. */
export function modelName({ models }: Pick<Runtime, 'models'>, session: Session | undefined): string {
  try {
    return (session === undefined ? models.default() : models.forSession(session)).info.name;
  } catch (error) {
    return errorMessage(error);
  }
}
