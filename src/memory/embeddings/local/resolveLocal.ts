import { dirname, extname, isAbsolute, join } from 'node:path';
import type { EmbeddingConfig } from '../../../config/sections/memorySection.ts';
import type { FileStat } from '../../../host/ports.ts';
import type { Embedder } from '../embedder.ts';
import type { EmbeddingDeps } from '../embeddingDeps.ts';
import { localServer, localServerName } from '../providers/localServer.ts';
import { createRemoteEmbedder } from '../remote/createRemoteEmbedder.ts';
import { createLocalEmbedder } from './createLocalEmbedder.ts';
import { llamaRuntime } from './llamaRuntime.ts';
import type { LocalRuntime } from './localModel.ts';
import { transformersRuntime } from './transformersRuntime.ts';

/**
 * The server that `memory.local.baseUrl` names, else the model file; or one sentence why neither can be had.
 *
 * @throws PincerError `embedding_refused` for an address that must not be used.
 */
export async function resolveLocal(config: EmbeddingConfig, deps: EmbeddingDeps): Promise<Embedder | string> {
  const { baseUrl, modelPath } = config.local;
  if (baseUrl !== undefined) return openServer(baseUrl, config.model, deps);
  if (modelPath === undefined) {
    return 'Local: neither memory.local.baseUrl nor memory.local.modelPath is set.';
  }
  return await openModel(expandHome(modelPath, deps.userHome), config, deps);
}

function openServer(baseUrl: string, model: string | undefined, { http, clock }: EmbeddingDeps): Embedder {
  const name = URL.canParse(baseUrl) ? localServerName(new URL(baseUrl)) : localServer.name;
  const chosen = model ?? localServer.model;
  return createRemoteEmbedder({ provider: localServer, name, baseUrl, model: chosen, key: '', http, clock });
}

async function openModel(
  modelPath: string,
  { local }: EmbeddingConfig,
  deps: EmbeddingDeps,
): Promise<Embedder | string> {
  const stat = isAbsolute(modelPath) ? await deps.fs.stat(modelPath) : undefined;
  if (stat === undefined) return `Local: there is no model at ${modelPath} (memory.local.modelPath).`;
  const runtime = runtimeFor(modelPath, stat, deps);
  if (runtime === undefined) {
    return `Local: ${modelPath} is neither a .gguf file nor a folder with an ONNX model.`;
  }
  const from =
    local.runtimePath === undefined ? dirname(modelPath) : expandHome(local.runtimePath, deps.userHome);
  const { packageName } = runtime;
  const found = await deps.findPackage(packageName, from);
  if (found === undefined) {
    return (
      `Local: ${packageName} is not installed in ${from} or above. Run there: npm install ${packageName}, ` +
      'or name the folder that has it in memory.local.runtimePath.'
    );
  }
  return createLocalEmbedder({ runtime, found, modelPath, version: await versionOf(modelPath, stat, deps) });
}

function runtimeFor(modelPath: string, stat: FileStat, { fs }: EmbeddingDeps): LocalRuntime | undefined {
  if (stat.kind === 'directory') return transformersRuntime(fs);
  return stat.kind === 'file' && extname(modelPath).toLowerCase() === '.gguf' ? llamaRuntime : undefined;
}

/** Another file at the same place is another model. */
async function versionOf(modelPath: string, stat: FileStat, { fs }: EmbeddingDeps): Promise<string> {
  const seen = stat.kind === 'directory' ? await fs.stat(join(modelPath, 'onnx')) : stat;
  return seen === undefined ? '' : `${String(seen.size)} ${String(seen.mtimeMs)}`;
}

function expandHome(path: string, home: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : path;
}
