import { PincerError } from '../base/errors.ts';
import { userConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import type { ProviderConfig } from '../config/mergeConfig.ts';
import { parseConfigFile } from '../config/parseConfigFile.ts';
import type { ModelCost, ModelRef } from '../contracts/model.ts';
import type { FileSystem, Host } from '../host/ports.ts';
import type { ListedModel } from '../models/library/readModelList.ts';
import { knownModelFacts } from '../models/providers/modelDefaults.ts';
import type { ServerInput } from './serverInput.ts';

/** What goes into the config: a server, its key, and the models of it that are wanted. */
export interface AddModelsInput extends ServerInput {
  /** What the provider is to be called, where that name is free; default: by its address. */
  readonly provider?: string;
  /** The first becomes the default. */
  readonly models: readonly [ListedModel, ...ListedModel[]];
}

type ModelConfig = ProviderConfig['models'][number];

/**
 * Writes models into the user config, beside the other models of their server, the key into the secrets, and makes the first
 * the default; gives its name. Without a key the one that is configured stays. What the server said of a model is written
 * down with it, so that people can correct it.
 * @throws PincerError `config_syntax`
 */
export async function addModels(host: Host, home: string, input: AddModelsInput): Promise<string> {
  const file = userConfigPath(home);
  const text = (await host.fs.stat(file)) === undefined ? '' : await host.fs.readText(file);
  const providers = parseConfigFile(text, file).config.models?.providers ?? {};
  const id = providerId(input, providers);
  const secret = `pincer.models.${id}`;
  const { key } = input;
  const known = providers[id];
  const models = known?.models ?? [];
  const added = input.models.filter((model) => models.every((each) => each.id !== model.id));
  const entry = {
    ...known,
    api: input.api,
    baseUrl: input.baseUrl,
    ...(key === undefined ? {} : { apiKey: 'env' in key ? key : { secret } }),
    models: [...models, ...added.map((model) => toConfig(input, model))],
  };
  const name = `${id}/${input.models[0].id}`;
  await editConfigFile(host.fs, file, ['models', 'providers', id], entry);
  await editConfigFile(host.fs, file, ['model'], name);
  // Last: a file that can't be edited must not leave a secret behind that nothing names.
  if (key !== undefined && 'value' in key) await host.secrets.set(secret, key.value);
  return name;
}

/**
 * Writes what a model of the user config costs; undefined takes the price out.
 * @throws PincerError `config_syntax`, `model_unknown`
 */
export async function setModelCost(
  fs: FileSystem,
  home: string,
  { provider, model }: ModelRef,
  cost: ModelCost | undefined,
): Promise<void> {
  const file = userConfigPath(home);
  const text = (await fs.stat(file)) === undefined ? '' : await fs.readText(file);
  const models = parseConfigFile(text, file).config.models?.providers?.[provider]?.models ?? [];
  const index = models.findIndex(({ id }) => id === model);
  if (index === -1)
    throw new PincerError('model_unknown', `There is no model ${provider}/${model} in ${file}.`, {
      hint: 'Add it with "Pincer: Add Model…", then set its price.',
    });
  await editConfigFile(fs, file, ['models', 'providers', provider, 'models', index, 'cost'], cost);
}

/** What the server says, else what is known of its service; nothing where both are silent. */
function toConfig({ api, baseUrl }: ServerInput, model: ListedModel): ModelConfig {
  const { id, name, cost, thinking } = model;
  const known = knownModelFacts(api, baseUrl, id);
  const contextWindow = model.contextWindow ?? known?.contextWindow;
  const maxOutputTokens = model.maxOutputTokens ?? known?.maxOutputTokens;
  const imageInput = model.imageInput ?? known?.imageInput;
  return {
    id,
    ...(name === undefined || name === id ? {} : { name }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(imageInput === true ? { imageInput } : {}),
    ...(thinking === true ? { thinking } : {}),
    ...(cost === undefined ? {} : { cost }),
  };
}

/**
 * `http://localhost:11434/v1` is `localhost-11434` unless a name is wanted: readable, and one provider an address. Another
 * address under a name that is taken gets a number.
 */
function providerId(
  { provider, api, baseUrl }: AddModelsInput,
  providers: Readonly<Record<string, ProviderConfig>>,
): string {
  const address = new URL(baseUrl);
  const isSame = (known: ProviderConfig): boolean =>
    known.api === api && new URL(known.baseUrl).href === address.href;
  const there = Object.entries(providers).find(([, known]) => isSame(known));
  if (there !== undefined) return there[0];
  const base =
    provider ??
    address.host
      .toLowerCase()
      .replace(/[^a-z0-9]+/gu, '-')
      .replace(/^-|-$/gu, '');
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? base : `${base}-${String(count)}`;
    if (providers[id] === undefined) return id;
  }
}
