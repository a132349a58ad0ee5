import { basename, dirname, join } from 'node:path';
import { throwIfAborted } from '../../../base/abort.ts';
import { isRecord, parseJson } from '../../../base/json.ts';
import type { FileSystem } from '../../../host/ports.ts';
import type { LocalModel, LocalRuntime } from './localModel.ts';

/** The part of transformers 3 and 4 that is used. */
interface TransformersPackage {
  readonly env: {
    allowLocalModels: boolean;
    allowRemoteModels: boolean;
    localModelPath: string;
    fetch?: () => Promise<never>;
  };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { readonly dtype: string; readonly local_files_only: true },
  ): Promise<FeatureExtraction>;
}

interface FeatureExtraction {
  (
    texts: readonly string[],
    options: { readonly pooling: 'mean' | 'cls'; readonly normalize: true },
  ): Promise<{ tolist(): readonly unknown[] }>;
  dispose(): Promise<unknown>;
}

/** The files of one model, smallest first that lose little; by what the package calls them. */
const dtypes = [
  ['q8', 'model_quantized.onnx'],
  ['int8', 'model_int8.onnx'],
  ['fp16', 'model_fp16.onnx'],
  ['fp32', 'model.onnx'],
  ['q4', 'model_q4.onnx'],
] as const;

/** Texts of one run: all are padded to the longest. */
const batchSize = 8;

/** Folders with `config.json`, `tokenizer.json` and `onnx/`, by transformers. */
export function transformersRuntime(fs: Pick<FileSystem, 'stat' | 'readText'>): LocalRuntime {
  return {
    packageName: '@huggingface/transformers',
    maxTokens: 512,
    async open(loaded, modelPath) {
      if (!isTransformersPackage(loaded)) throw new Error('This version of transformers has no pipeline.');
      keepOffline(loaded.env, dirname(modelPath));
      const [dtype, pooling] = await Promise.all([findDtype(fs, modelPath), readPooling(fs, modelPath)]);
      const options = { dtype, local_files_only: true } as const;
      return wrap(await loaded.pipeline('feature-extraction', basename(modelPath), options), pooling);
    },
  };
}

function wrap(extract: FeatureExtraction, pooling: 'mean' | 'cls'): LocalModel {
  return {
    async embed(texts, signal) {
      const vectors: unknown[] = [];
      for (let at = 0; at < texts.length; at += batchSize) {
        throwIfAborted(signal);
        const result = await extract(texts.slice(at, at + batchSize), { pooling, normalize: true });
        vectors.push(...result.tolist());
      }
      return vectors;
    },
    async close() {
      await extract.dispose();
    },
  };
}

/** The package would ask its hub for every file that is not there. */
function keepOffline(env: TransformersPackage['env'], folder: string): void {
  env.allowLocalModels = true;
  env.allowRemoteModels = false;
  env.localModelPath = folder;
  env.fetch = () => Promise.reject(new Error('Models are not downloaded.'));
}

async function findDtype(fs: Pick<FileSystem, 'stat'>, modelPath: string): Promise<string> {
  for (const [dtype, file] of dtypes) {
    if ((await fs.stat(join(modelPath, 'onnx', file)))?.kind === 'file') return dtype;
  }
  throw new Error(`There is none of ${dtypes.map(([, file]) => `onnx/${file}`).join(', ')}.`);
}

/** Sentence models say in `1_Pooling/config.json` where they put the meaning; the mean is usual. */
async function readPooling(
  fs: Pick<FileSystem, 'stat' | 'readText'>,
  modelPath: string,
): Promise<'mean' | 'cls'> {
  const file = join(modelPath, '1_Pooling', 'config.json');
  if ((await fs.stat(file))?.kind !== 'file') return 'mean';
  const config = parseJson(await fs.readText(file, 65_536));
  return isRecord(config) && config['pooling_mode_cls_token'] === true ? 'cls' : 'mean';
}

function isTransformersPackage(loaded: unknown): loaded is TransformersPackage {
  return isRecord(loaded) && isRecord(loaded['env']) && typeof loaded['pipeline'] === 'function';
}
