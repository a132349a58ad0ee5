import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import type { ToChatPage } from '../../gateway/chatPage/chatViewMessages.ts';
import { modelRows, type ModelRow } from '../../gateway/chatPage/modelRows.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';

/** What stands for no model of its own. */
function defaultModelTitle(): string {
  return vscode.l10n.t('Default of the config');
}

export interface ModelChoiceParts {
  readonly runtime: Runtime;
  readonly isRemote: boolean;
  readonly tell: (message: ToChatPage) => void;
  /** The session that is asked for; a new one where there is none. */
  readonly session: () => Session;
  readonly onChange: () => void;
}

/** Which model answers in a session: chosen in VS Code, or in a page elsewhere. */
export interface ModelChoice {
  readonly choose: () => Promise<void>;
  /** Takes the id of a row; any other is none of the page's business. */
  readonly use: (id: string | undefined, asked?: Session) => Promise<void>;
}

export function createModelChoice(parts: ModelChoiceParts): ModelChoice {
  const { models, conversations } = parts.runtime;
  const rows = (): readonly ModelRow[] => modelRows(models.list(), defaultModelTitle());
  const use = async (id: string | undefined, asked = parts.session()): Promise<void> => {
    if (!rows().some((row) => row.id === id)) return;
    await conversations.setSettings(asked, { model: id === '' ? undefined : id });
    parts.onChange();
  };
  return {
    async choose() {
      if (parts.isRemote) parts.tell({ type: 'choose', what: 'useModel', rows: rows() });
      else {
        const asked = parts.session();
        await use(await pickModel(parts.runtime), asked);
      }
    },
    use,
  };
}

/** Asks in VS Code. Gives the id of a row; undefined where none was picked, or a model is added. */
async function pickModel({ models }: Pick<Runtime, 'models'>): Promise<string | undefined> {
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
