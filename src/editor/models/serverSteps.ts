import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import { asksForKey } from '../../models/providers/asksForKey.ts';
import {
  otherProvider,
  providerCatalog,
  type ProviderEntry,
} from '../../models/providers/providerCatalog.ts';
import type { KeyInput, ServerInput } from '../../runtime/index.ts';
import type { ModelDraft, ModelStep } from './modelDraft.ts';
import { inputStep, listStep, type InputButton, type PickRow } from './steps.ts';
import { addressesOf } from './readAddress.ts';

/** The first question: which provider, or what runs on this machine. */
export const pickProvider: ModelStep = async (_runtime, _draft, canGoBack) => {
  const rows: readonly PickRow<ModelDraft>[] = [
    {
      label: vscode.l10n.t('$(search) Find local servers…'),
      detail: vscode.l10n.t('Asks the usual ports of this machine: Ollama, LM Studio, llama-server, vLLM'),
      value: { isSearch: true },
    },
    ...providerCatalog.map(toRow),
    {
      label: vscode.l10n.t('Another OpenAI-compatible server…'),
      description: vscode.l10n.t('you give its address'),
      value: { provider: otherProvider },
    },
  ];
  return first(
    await listStep({
      title: vscode.l10n.t('Add model: provider'),
      placeholder: vscode.l10n.t('Where is the model?'),
      canGoBack,
      rows: () => rows,
    }),
  );
};

function toRow(provider: ProviderEntry): PickRow<ModelDraft> {
  const { label, api, baseUrl = '' } = provider;
  return { label, description: new URL(baseUrl).host, value: { provider, server: { api, baseUrl } } };
}

/** Servers of this machine; an empty list says how to start one. */
export const pickLocalServer: ModelStep = async (runtime, draft, canGoBack) => {
  const rows = async (signal: AbortSignal): Promise<readonly PickRow<ModelDraft>[]> => {
    const found = await runtime.models.findLocalServers(signal);
    const servers = found.map(({ provider, baseUrl, models, needsKey }): PickRow<ModelDraft> => {
      const server: ServerInput = { api: provider.api, baseUrl };
      return {
        label: provider.label,
        description: new URL(baseUrl).host,
        detail: needsKey ? vscode.l10n.t('asks for a key') : vscode.l10n.t('models: {0}', models.length),
        value: { provider, server, ...(needsKey ? { wantsKey: true } : { listed: models }) },
      };
    });
    return servers.length > 0 ? servers : noServerRows(draft);
  };
  return first(
    await listStep({
      title: vscode.l10n.t('Add model: local servers'),
      placeholder: vscode.l10n.t('Model servers on this machine'),
      canGoBack,
      rows,
    }),
  );
};

function noServerRows(draft: ModelDraft): readonly PickRow<ModelDraft>[] {
  return [
    {
      label: vscode.l10n.t('$(info) No model server answers on this machine'),
      detail: vscode.l10n.t('Start one, such as Ollama (ollama serve) or LM Studio, then look again.'),
    },
    { label: vscode.l10n.t('$(refresh) Look again'), value: draft },
    {
      label: vscode.l10n.t('$(edit) Enter an address…'),
      detail: vscode.l10n.t('for a server on another port or machine'),
      value: { provider: otherProvider },
    },
  ];
}

/** The address of a server that is in no table; it counts once it answers with its models, or asks for a key. */
export const enterAddress: ModelStep = async (runtime, draft, canGoBack) =>
  await inputStep<ModelDraft>({
    title: vscode.l10n.t('Add model: address'),
    placeholder: 'http://localhost:8080/v1',
    prompt: vscode.l10n.t('Address of the server; without a path, /v1 is tried first'),
    value: 'http://localhost:8080/v1',
    canGoBack,
    async accept(text, signal) {
      let failure: unknown = new Error(
        vscode.l10n.t('Enter an address such as localhost:8080/v1 or https://models.example/v1.'),
      );
      for (const baseUrl of addressesOf(text)) {
        const server: ServerInput = { api: (draft.provider ?? otherProvider).api, baseUrl };
        try {
          return { ...draft, server, listed: await runtime.models.listOfServer(server, signal) };
        } catch (error) {
          if (asksForKey(error)) return { ...draft, server, wantsKey: true };
          failure = error;
        }
      }
      throw failure;
    },
  });

/** The key, tested at once: it counts when the server lists its models for it. */
export const enterKey: ModelStep = async (runtime, draft, canGoBack) => {
  const { provider = otherProvider, server } = draft;
  if (server === undefined) return 'back';
  const { keyUrl, keyVariable } = provider;
  return await inputStep<ModelDraft>({
    title: vscode.l10n.t('Add model: key of {0}', nameOf(provider, server)),
    placeholder: vscode.l10n.t('API key'),
    prompt:
      keyUrl === undefined
        ? vscode.l10n.t('Kept in secret storage. env:NAME reads it from an environment variable instead.')
        : vscode.l10n.t(
            'Get one at {0}. Kept in secret storage; env:NAME reads it from an environment variable instead.',
            keyUrl,
          ),
    password: true,
    canGoBack,
    buttons: [
      ...(keyUrl === undefined ? [] : [keyPageButton(keyUrl)]),
      ...(keyVariable === undefined ? [] : [variableButton(keyVariable)]),
    ],
    async accept(text, signal) {
      const withKey = { ...server, key: readKey(text) };
      try {
        return { ...draft, server: withKey, listed: await runtime.models.listOfServer(withKey, signal) };
      } catch (error) {
        // The hint elsewhere is to open this very dialog.
        if ('value' in withKey.key && asksForKey(error))
          throw new Error(vscode.l10n.t('{0} Check the key and enter it again.', errorMessage(error)), {
            cause: error,
          });
        throw error;
      }
    },
  });
};

function keyPageButton(keyUrl: string): InputButton {
  return {
    iconPath: new vscode.ThemeIcon('link-external'),
    tooltip: vscode.l10n.t('Get a key'),
    run() {
      void vscode.env.openExternal(vscode.Uri.parse(keyUrl));
      return undefined;
    },
  };
}

function variableButton(name: string): InputButton {
  return {
    iconPath: new vscode.ThemeIcon('symbol-variable'),
    tooltip: vscode.l10n.t('Use the environment variable {0}', name),
    run: () => `env:${name}`,
  };
}

function readKey(text: string): KeyInput {
  if (text === '')
    throw new Error(vscode.l10n.t('Enter a key, or env: and the name of an environment variable.'));
  const name = /^env:\s*([A-Za-z_]\w*)$/u.exec(text)?.[1];
  return name === undefined ? { value: text } : { env: name };
}

/** How the dialog calls a server. */
export function nameOf(provider: ProviderEntry, server: ServerInput): string {
  return provider.baseUrl === undefined ? new URL(server.baseUrl).host : provider.label;
}

function first<T>(
  answer: { readonly value: readonly T[] } | 'back' | undefined,
): { readonly value: T } | 'back' | undefined {
  if (answer === undefined || answer === 'back') return answer;
  const [value] = answer.value;
  return value === undefined ? undefined : { value };
}
