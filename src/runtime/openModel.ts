import { resolve } from 'node:path';
import { PincerError } from '../base/errors.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Model } from '../contracts/model.ts';
import type { Host } from '../host/ports.ts';
import type { Memory } from '../memory/memory.ts';
import { createBuiltInModel } from '../models/builtIn/createBuiltInModel.ts';
import { createModelRegistry, type ModelRegistry } from '../models/createModelRegistry.ts';
import { createRecordingModel } from '../models/replay/createRecordingModel.ts';
import { createReplayModel } from '../models/replay/createReplayModel.ts';
import { registerConfiguredModels } from './configuredModels.ts';
import type { RuntimeInput } from './runtime.ts';

interface ModelSources {
  readonly host: Host;
  readonly models: ModelRegistry;
  readonly config: PincerConfig;
}

const replayPrefix = 'replay:';

/** A model by what a command line says. @throws PincerError `model_unknown`, `replay_invalid` */
export async function openModel(known: ModelSources, text: string, folder: string): Promise<Model> {
  if (text.startsWith(replayPrefix)) {
    return await openReplay(known.host, resolve(folder, text.slice(replayPrefix.length)));
  }
  if (text === 'openai-compatible') return fromEnvironment(known) ?? firstConfigured(known);
  return known.models.resolve(text);
}

async function openReplay({ fs, clock }: Host, file: string): Promise<Model> {
  if ((await fs.stat(file)) === undefined) {
    throw new PincerError('model_unknown', `There is no replay script ${file}.`, {
      hint: 'Name one as replay:<file> (docs/replay.md).',
    });
  }
  return createReplayModel({ script: await fs.readText(file), name: file, clock });
}

/** The model that PINCER_BASE_URL names; undefined where it names none. */
function fromEnvironment({ host, config }: ModelSources): Model | undefined {
  const { PINCER_BASE_URL: baseUrl = '', PINCER_MODEL: id = '', PINCER_API_KEY: key = '' } = host.env;
  if (baseUrl === '') return undefined;
  if (!/^https?:$/u.test(URL.parse(baseUrl)?.protocol ?? '')) {
    throw new PincerError('model_unknown', 'PINCER_BASE_URL is not an http address.', {
      hint: 'It ends with /v1 as a rule, such as http://localhost:11434/v1.',
    });
  }
  if (id === '') {
    throw new PincerError('model_unknown', 'PINCER_BASE_URL is set, but PINCER_MODEL is not.', {
      hint: "Set PINCER_MODEL to the server's name for the model.",
    });
  }
  const provider = {
    api: 'openai-compatible' as const,
    baseUrl,
    models: [{ id }],
    ...(key === '' ? {} : { apiKey: { env: 'PINCER_API_KEY' } }),
  };
  const registry = createModelRegistry();
  const none = (): void => undefined; // One model can't be a duplicate.
  registerConfiguredModels(registry, { ...config, providers: { environment: provider } }, host, none);
  return registry.resolve(`environment/${id}`);
}

function firstConfigured({ models, config }: ModelSources): Model {
  const names = Object.entries(config.providers)
    .filter(([, { api }]) => api === 'openai-compatible')
    .flatMap(([id, provider]) => provider.models.map((model) => `${id}/${model.id}`));
  const name = names.find((each) => each === config.model) ?? names[0];
  const found = name === undefined ? undefined : models.find(name);
  if (found !== undefined) return found;
  throw new PincerError('model_unknown', 'No OpenAI-compatible model is configured.', {
    hint: 'Set PINCER_BASE_URL and PINCER_MODEL, or add one under models.providers of your config.jsonc (docs/config.md).',
  });
}

export const recordModel = createRecordingModel;

/**
 * How long an answer waits for files that have changed: long enough for a usual workspace at the first question, on a slow machine, too.
 * The search is all that this model answers with, so a part of the index would be a wrong answer.
 */
const waitMs = 8_000;

/** The built-in model over the memory of the workspace. */
export function createBuiltIn({ fileLink }: RuntimeInput, memory: Memory): Model {
  return createBuiltInModel({
    search: async (query, { limit, signal }) =>
      (await memory.search(query, { maxResults: limit, minScore: 0, waitMs }, signal)).hits,
    fileLink,
  });
}
