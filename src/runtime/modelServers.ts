import type { Host } from '../host/ports.ts';
import { discoverLocalServers, type LocalServer } from '../models/discovery/discoverLocalServers.ts';
import { listModels } from '../models/library/listModels.ts';
import type { ListedModel } from '../models/library/readModelList.ts';
import { modelDefaults } from '../models/providers/modelDefaults.ts';
import { openRemoteModel } from './openRemoteModel.ts';
import { readKeyInput, type ServerInput } from './serverInput.ts';
import { testModel, type ModelTrial } from './testModel.ts';

/** Models that a server offers: the test of its address and key. @throws PincerError `model_*`, `model_aborted` */
export async function listServerModels(
  host: Host,
  { api, baseUrl, key }: ServerInput,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const { http, clock } = host;
  const apiKey = key === undefined ? undefined : readKeyInput(key, host.env);
  return await listModels({ api, baseUrl, http, clock, signal, ...(apiKey === undefined ? {} : { apiKey }) });
}

/** Asks a model of a server that is not in the config yet for one word. @throws PincerError `model_*` */
export async function tryServerModel(
  host: Host,
  { api, baseUrl, key }: ServerInput,
  id: string,
  signal: AbortSignal,
): Promise<ModelTrial> {
  const model = openRemoteModel(host, {
    api,
    baseUrl,
    info: {
      provider: 'trial',
      model: id,
      name: id,
      ...modelDefaults(api, baseUrl, id),
      toolCalling: false,
    },
    ...(key === undefined ? {} : { apiKey: () => Promise.resolve(readKeyInput(key, host.env)) }),
  });
  return await testModel(model, host.clock, signal);
}

/** Model servers on the usual ports of this machine. @throws PincerError `cancelled` */
export async function findLocalServers(
  { http, clock }: Host,
  signal: AbortSignal,
): Promise<readonly LocalServer<ListedModel>[]> {
  return await discoverLocalServers({
    list: (baseUrl, limited) =>
      listModels({ api: 'openai-compatible', baseUrl, http, clock, signal: limited }),
    clock,
    signal,
  });
}
