import * as vscode from 'vscode';
import { modelPurpose } from '../../models/library/modelPurpose.ts';
import { asksForKey } from '../../models/providers/asksForKey.ts';
import { otherProvider } from '../../models/providers/providerCatalog.ts';
import { isLoopback } from '../../net/isLoopback.ts';
import type { ListedModel, ServerInput } from '../../runtime/index.ts';
import { noIcons } from '../memory/hitItems.ts';
import { describeListedModel } from './describeListedModel.ts';
import type { ModelDraft, SetupRuntime, ModelStep } from './modelDraft.ts';
import { nameOf } from './serverSteps.ts';
import { inputStep, listStep, problemText, type PickRow } from './steps.ts';

/** The models of the server: one is the default, more can be ticked. A server that does not answer is told in the list. */
export const pickModels: ModelStep = async (runtime, draft, canGoBack) => {
  const { provider = otherProvider, server } = draft;
  if (server === undefined) return 'back';
  const name = nameOf(provider, server);
  const answer = await listStep<ModelChoice>({
    title: vscode.l10n.t('Add model: model of {0}', name),
    placeholder:
      draft.listed === undefined
        ? vscode.l10n.t('Which model becomes the default?')
        : vscode.l10n.t('It answered with {0} models. Which becomes the default?', draft.listed.length),
    canGoBack,
    several: vscode.l10n.t('Select models; the first one selected becomes the default'),
    async rows(signal) {
      try {
        const models = draft.listed ?? (await runtime.models.listOfServer(server, signal));
        return modelRows(models, byNameRow(name, draft, models.length === 0));
      } catch (error) {
        if (signal.aborted) return [];
        return problemRows(error, { ...draft, server }, provider.howToStart);
      }
    },
  });
  if (answer === undefined || answer === 'back') return answer;
  const other = answer.value.find((choice) => 'next' in choice);
  if (other !== undefined) return { value: other.next };
  const [main, ...more] = answer.value.flatMap((choice) => ('model' in choice ? [choice.model] : []));
  return main === undefined ? undefined : { value: { ...draft, models: [main, ...more] } };
};

function byNameRow(serverName: string, draft: ModelDraft, isEmpty: boolean): PickRow<ModelChoice> {
  const label = isEmpty
    ? vscode.l10n.t('$(info) {0} has no models yet: enter a name…', serverName)
    : vscode.l10n.t('$(edit) Another model…');
  return {
    label,
    description: vscode.l10n.t('by its name'),
    alwaysShow: true,
    isAlone: true,
    value: { next: { ...draft, byName: true } },
  };
}

/** A model, or another step in place of one. */
type ModelChoice = { readonly model: ListedModel } | { readonly next: ModelDraft };

/** Chat models, then `byName`; what does something else than chat stands below. */
function modelRows(
  models: readonly ListedModel[],
  byName: PickRow<ModelChoice>,
): readonly PickRow<ModelChoice>[] {
  const toRow = (model: ListedModel): PickRow<ModelChoice> => ({
    label: noIcons(model.id),
    description: noIcons(describeListedModel(model)),
    value: { model },
  });
  const forChat = models.filter(({ id }) => modelPurpose(id) === 'chat');
  const others = models.filter((model) => !forChat.includes(model));
  const heading = { label: vscode.l10n.t('Not for chat'), kind: vscode.QuickPickItemKind.Separator };
  return [...forChat.map(toRow), byName, ...(others.length === 0 ? [] : [heading, ...others.map(toRow)])];
}

function problemRows(
  error: unknown,
  draft: ModelDraft & { readonly server: ServerInput },
  howToStart: string | undefined,
): readonly PickRow<ModelChoice>[] {
  const wantsKey = asksForKey(error);
  const { key: _key, ...server } = draft.server;
  return [
    {
      label: `$(error) ${noIcons(problemText(error))}`,
      ...(howToStart === undefined || wantsKey ? {} : { detail: howToStart }),
    },
    wantsKey
      ? { label: vscode.l10n.t('$(key) Enter a key…'), value: { next: { ...draft, server, wantsKey: true } } }
      : { label: vscode.l10n.t('$(refresh) Try again'), value: { next: draft } },
    {
      label: vscode.l10n.t('$(edit) Another address…'),
      value: { next: { provider: { ...otherProvider, api: server.api } } },
    },
  ];
}

/** The name of a model that the server does not list. */
export const enterModelName: ModelStep = async (_runtime, draft, canGoBack) =>
  await inputStep<ModelDraft>({
    title: vscode.l10n.t('Add model: name'),
    placeholder: 'qwen3-coder',
    prompt: vscode.l10n.t("The server's name for the model"),
    canGoBack,
    accept(id) {
      if (id === '') throw new Error(vscode.l10n.t('Enter the name of a model.'));
      return { ...draft, models: [{ id }] };
    },
  });

/**
 * Asks the model for one word: some servers list their models to everybody and look at the key later. A server of this
 * machine without a key is not asked, since it may load the model for a minute.
 */
export const tryModel: ModelStep = async (runtime, draft, canGoBack) => {
  const { server, models } = draft;
  if (server === undefined || models === undefined) return 'back';
  const tried: ModelDraft = { ...draft, isTried: true };
  if (isLocalWithoutKey(server)) return { value: tried };
  const [{ id }] = models;
  const answer = await listStep<ModelDraft>({
    title: vscode.l10n.t('Add model: test'),
    placeholder: vscode.l10n.t('Sending {0} a test request', noIcons(id)),
    canGoBack,
    rows: async (signal) => await trialRows(runtime, { server, id, tried, draft }, signal),
  });
  if (answer === undefined || answer === 'back') return answer;
  const [next] = answer.value;
  return next === undefined ? undefined : { value: next };
};

interface Trial {
  readonly server: ServerInput;
  readonly id: string;
  readonly tried: ModelDraft;
  readonly draft: ModelDraft;
}

async function trialRows(runtime: SetupRuntime, { server, id, tried, draft }: Trial, signal: AbortSignal) {
  try {
    await runtime.models.tryOut(server, id, signal);
    return { done: tried };
  } catch (error) {
    if (signal.aborted) return [];
    const { key: _key, ...withoutKey } = server;
    const { models: _models, listed: _listed, ...before } = draft;
    const isKey = asksForKey(error);
    return [
      { label: `$(error) ${noIcons(problemText(error))}` },
      isKey
        ? {
            label: vscode.l10n.t('$(key) Enter a key…'),
            value: { ...before, server: withoutKey, wantsKey: true },
          }
        : { label: vscode.l10n.t('$(refresh) Try again'), value: draft },
      { label: vscode.l10n.t('$(add) Add it anyway'), value: tried },
    ];
  }
}

function isLocalWithoutKey({ baseUrl, key }: ServerInput): boolean {
  return key === undefined && isLoopback(new URL(baseUrl).hostname);
}
