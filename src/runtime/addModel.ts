import { userConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
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

/** Writes the model into the user config, its key into the secrets, and makes it the default. */
export async function addModel(
  host: Host,
  home: string,
  model: { readonly baseUrl: string; readonly key: string; readonly id: string },
): Promise<void> {
  const provider = providerId(model.baseUrl);
  const secret = `pincer.models.${provider}`;
  if (model.key !== '') await host.secrets.set(secret, model.key);
  const file = userConfigPath(home);
  const entry = {
    api: 'openai-compatible',
    baseUrl: model.baseUrl,
    ...(model.key === '' ? {} : { apiKey: { secret } }),
    models: [{ id: model.id }],
  };
  await editConfigFile(host.fs, file, ['models', 'providers', provider], entry);
  await editConfigFile(host.fs, file, ['model'], `${provider}/${model.id}`);
}

/** `http://localhost:11434/v1` is `localhost-11434`: readable, and one provider a server. */
function providerId(baseUrl: string): string {
  return new URL(baseUrl).host
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '');
}
