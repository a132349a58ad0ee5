import { resolve } from 'node:path';
import { PincerError } from '../base/errors.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Model } from '../contracts/model.ts';
import type { Host } from '../host/ports.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import { createRecordingModel } from '../models/replay/createRecordingModel.ts';
import { createReplayModel } from '../models/replay/createReplayModel.ts';

interface Known {
  readonly host: Host;
  readonly models: ModelRegistry;
  readonly builtIn: Model;
  readonly config: PincerConfig;
}

const replayPrefix = 'replay:';

/** A model by what a command line says. @throws PincerError `model_unknown`, `replay_invalid`, `io_not_found` */
export async function openModel(known: Known, text: string, folder: string): Promise<Model> {
  if (text.startsWith(replayPrefix)) {
    const file = resolve(folder, text.slice(replayPrefix.length));
    const script = await known.host.fs.readText(file);
    return createReplayModel({ script, name: file, clock: known.host.clock });
  }
  if (text === 'openai-compatible') return firstConfigured(known);
  return known.models.resolve(text);
}

function firstConfigured({ models, builtIn, config }: Known): Model {
  const wanted = config.model === undefined ? undefined : models.resolve(config.model);
  const found =
    wanted !== undefined && wanted !== builtIn ? wanted : models.list().find((each) => each !== builtIn);
  if (found !== undefined) return found;
  throw new PincerError('model_unknown', 'No OpenAI-compatible model is configured.', {
    hint: 'Add one under models.providers of your config.jsonc (docs/config.md).',
  });
}

export const recordModel = createRecordingModel;
