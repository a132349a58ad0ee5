import { userConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import type { ProviderConfig } from '../config/mergeConfig.ts';
import { parseConfigFile } from '../config/parseConfigFile.ts';
import type { Host } from '../host/ports.ts';
import { listModels } from '../models/openAiCompatible/listModels.ts';

/** Models that a server offers, by its own names. @throws PincerError `model_*` */
export async function listServerModels(
  host: Host,
  server: { readonly baseUrl: string; readonly key: string },
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(20_000);
  const key = server.key === '' ? {} : { apiKey: server.key };
  const models = await listModels({
    baseUrl: server.baseUrl,
    http: host.http,
    clock: host.clock,
    signal,
    ...key,
  });
  return models.map((model) => model.id);
}

/**
 * Writes the model into the user config, beside the other models of its server, its key into the secrets, and makes it the
 * default. Without a key the one that is configured stays.
 * @throws PincerError `config_syntax`
 */
export async function addModel(
  host: Host,
  home: string,
  model: { readonly baseUrl: string; readonly key: string; readonly id: string },
): Promise<void> {
  const file = userConfigPath(home);
  const text = (await host.fs.stat(file)) === undefined ? '' : await host.fs.readText(file);
  const providers = parseConfigFile(text, file).config.models?.providers ?? {};
  const provider = providerId(model.baseUrl, providers);
  const secret = `pincer.models.${provider}`;
  const known = providers[provider];
  const models = known?.models ?? [];
  const entry = {
    api: 'openai-compatible',
    baseUrl: model.baseUrl,
    ...known,
    ...(model.key === '' ? {} : { apiKey: { secret } }),
    models: models.some(({ id }) => id === model.id) ? models : [...models, { id: model.id }],
  };
  await editConfigFile(host.fs, file, ['models', 'providers', provider], entry);
  await editConfigFile(host.fs, file, ['model'], `${provider}/${model.id}`);
  // Last: a file that can't be edited must not leave a secret behind that nothing names.
  if (model.key !== '') await host.secrets.set(secret, model.key);
}

/**
 * `http://localhost:11434/v1` is `localhost-11434`: readable, and one provider an address. Another address of the same host
 * gets a number.
 */
function providerId(baseUrl: string, providers: Readonly<Record<string, ProviderConfig>>): string {
  const address = new URL(baseUrl);
  const base = address.host
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '');
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? base : `${base}-${String(count)}`;
    const known = providers[id];
    if (known === undefined || new URL(known.baseUrl).href === address.href) return id;
  }
}
