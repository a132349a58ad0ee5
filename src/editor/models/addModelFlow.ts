import * as vscode from 'vscode';
import type { AddModelsInput, Runtime } from '../../runtime/index.ts';
import { notificationText } from '../notificationText.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import type { ModelDraft, ModelStep } from './modelDraft.ts';
import { enterModelName, pickModels, tryModel } from './modelSteps.ts';
import { enterAddress, enterKey, pickLocalServer, pickProvider } from './serverSteps.ts';
import { askSteps } from './steps.ts';

/** Asks for a model, and says that it is ready: what one wants then is to ask it something. */
export async function addModel(
  runtime: Pick<Runtime, 'models' | 'host'>,
  last: LastUsedTracker,
): Promise<void> {
  const name = await addModelFlow(runtime);
  if (name === undefined) return;
  const openChat = vscode.l10n.t('Open Chat');
  const editPrice = vscode.l10n.t('Edit Price…');
  const source = last.get()?.source ?? 'config';
  const picked = await vscode.window.showInformationMessage(
    notificationText(
      source === 'config'
        ? vscode.l10n.t('{0} is ready: your next message goes to it.', name)
        : vscode.l10n.t(
            '{0} is ready. This chat has a model of its own: pick another one in its input.',
            name,
          ),
    ),
    openChat,
    ...(runtime.models.find(name)?.info.cost === undefined ? [editPrice] : []),
  );
  if (picked === openChat) await vscode.commands.executeCommand('pincer.chat.open');
  if (picked === editPrice) await vscode.commands.executeCommand('pincer.models.editPrice', { model: name });
}

/**
 * Provider, address, key, model: each step tests what it got before the next one opens, Back returns to the one before, and
 * nothing is written before the last. Gives the name of the model that is the default now; undefined where the user left.
 */
async function addModelFlow(runtime: Pick<Runtime, 'host' | 'models'>): Promise<string | undefined> {
  const draft = await askSteps<ModelDraft>({}, (each, canGoBack) =>
    each.isTried === true ? undefined : stepFor(each)(runtime, each, canGoBack),
  );
  const complete = draft === undefined ? undefined : toInput(draft);
  return complete === undefined ? undefined : await runtime.models.add(complete);
}

/** What is missing decides what is asked. Pure. */
function stepFor({ isSearch, provider, server, wantsKey, byName, models }: ModelDraft): ModelStep {
  if (models !== undefined) return tryModel;
  if (byName === true) return enterModelName;
  if (isSearch === true && server === undefined) return pickLocalServer;
  if (provider === undefined) return pickProvider;
  if (server === undefined) return enterAddress;
  const needsKey = provider.needsKey || wantsKey === true;
  return needsKey && server.key === undefined ? enterKey : pickModels;
}

function toInput({ provider, server, models }: ModelDraft): AddModelsInput | undefined {
  if (server === undefined || models === undefined) return undefined;
  const isKnown = provider?.baseUrl !== undefined;
  return { ...server, models, ...(isKnown ? { provider: provider.id } : {}) };
}
