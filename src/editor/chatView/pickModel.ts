import * as vscode from 'vscode';
import type { ToChatPage } from '../../gateway/chatPage/chatViewMessages.ts';
import { modelName, modelRows, type ModelRow } from '../../gateway/chatPage/modelRows.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';

/** What stands for no model of its own, with the model that it comes to. */
function defaultModelTitle(runtime: Pick<Runtime, 'models'>, session: Session): string {
  const isUsed = session.settings().model === undefined;
  return vscode.l10n.t('Default of the config: {0}', modelName(runtime.models, isUsed ? session : undefined));
}

interface ModelChoiceParts {
  readonly runtime: Runtime;
  readonly isRemote: boolean;
  readonly tell: (message: ToChatPage) => void;
  /** The session that is asked for; a new one where there is none. */
  readonly session: () => Session;
  readonly onChange: () => void;
}

/** Which model answers in a session: chosen in VS Code, or in a page elsewhere. */
interface ModelChoice {
  readonly choose: () => Promise<void>;
  /** Takes the id of a row; any other is none of the page's business. */
  readonly use: (id: string | undefined, asked?: Session) => Promise<void>;
}

export function createModelChoice(parts: ModelChoiceParts): ModelChoice {
  const { models, conversations } = parts.runtime;
  const rows = (asked: Session): readonly ModelRow[] =>
    modelRows(models.list(), defaultModelTitle(parts.runtime, asked), asked.settings().model ?? '');
  const use = async (id: string | undefined, asked = parts.session()): Promise<void> => {
    if (!rows(asked).some((row) => row.id === id)) return;
    await conversations.setSettings(asked, { model: id === '' ? undefined : id });
    parts.onChange();
  };
  return {
    async choose() {
      const asked = parts.session();
      if (parts.isRemote) parts.tell({ type: 'choose', what: 'useModel', rows: rows(asked) });
      else await use(await pickModel(parts.runtime, asked), asked);
    },
    use,
  };
}

/** Asks in VS Code. Gives the id of a row; undefined where none was picked, or a model is added. */
async function pickModel(runtime: Pick<Runtime, 'models'>, session: Session): Promise<string | undefined> {
  const used = session.settings().model ?? '';
  const pickOf = (id: string, label: string, description: string): ModelPick => ({
    ...{ id, label, description: id === used ? `${description} · ${vscode.l10n.t('in use')}` : description },
    iconPath: new vscode.ThemeIcon(id === used ? 'check' : 'blank'),
  });
  const picks = runtime.models.list().map(({ info: { name, provider, model } }) => {
    const id = `${provider}/${model}`;
    return pickOf(id, name, id);
  });
  const byDefault = used === '' ? session : undefined;
  const automatic = pickOf('', vscode.l10n.t('Default of the config'), modelName(runtime.models, byDefault));
  const add: ModelPick = {
    label: vscode.l10n.t('Add Model…'),
    id: undefined,
    iconPath: new vscode.ThemeIcon('add'),
  };
  const picked = await vscode.window.showQuickPick([automatic, ...picks, add], {
    title: vscode.l10n.t('Model of This Session'),
    placeHolder: vscode.l10n.t('Which model answers in this session from the next message on'),
    matchOnDescription: true,
  });
  if (picked === add) await vscode.commands.executeCommand('pincer.models.add');
  return picked?.id;
}

interface ModelPick extends vscode.QuickPickItem {
  readonly id: string | undefined;
}
