import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { ModelCost, ModelInfo } from '../../contracts/model.ts';
import { modelDefaults } from '../../models/providers/modelDefaults.ts';
import { toConnection, type ProviderConnection } from './toConnection.ts';

/** A model that a plugin's provider brings. */
export interface ProviderModel {
  readonly info: ModelInfo;
  /** What the plugin wrote of it, with the provider's fields where it has none: its own stream function gets this. */
  readonly given: Readonly<Record<string, unknown>>;
  /** How to ask it; undefined where only a stream function of the plugin can. */
  readonly connection: ProviderConnection | undefined;
}

interface ReadModels {
  readonly models: readonly ProviderModel[];
  /** What was left out and why, as ends of sentences. */
  readonly problems: readonly string[];
}

/**
 * Upstream's `ModelProviderConfig` as models. `canStream` says that the plugin has a stream function: its models need no
 * server then. What makes no sense is left out and named. Pure.
 */
export function readProviderModels(providerId: string, config: unknown, canStream: boolean): ReadModels {
  if (!isRecord(config) || !Array.isArray(config['models']))
    return { models: [], problems: ['it lists no models'] };
  const models: ProviderModel[] = [];
  const problems: string[] = [];
  for (const entry of config['models'] as readonly unknown[]) {
    const given: Record<string, unknown> = isRecord(entry) ? { ...providerFields(config), ...entry } : {};
    const id = given['id'];
    if (typeof id !== 'string' || id.trim() === '') {
      problems.push('a model has no id');
      continue;
    }
    const connection = toConnection(config, given);
    if ('problem' in connection && !canStream) {
      problems.push(`model "${inertLine(id, 80)}" ${connection.problem}`);
      continue;
    }
    const usable = 'problem' in connection ? undefined : connection;
    models.push({ info: toInfo(providerId, id.trim(), given, usable), given, connection: usable });
  }
  return { models, problems };
}

function providerFields({ api, baseUrl }: Record<string, unknown>): Record<string, unknown> {
  return { ...(api === undefined ? {} : { api }), ...(baseUrl === undefined ? {} : { baseUrl }) };
}

function toInfo(
  provider: string,
  model: string,
  given: Readonly<Record<string, unknown>>,
  connection: ProviderConnection | undefined,
): ModelInfo {
  const { api = 'openai-compatible', baseUrl = '' } = connection ?? {};
  const defaults = modelDefaults(api, baseUrl, model);
  const { name, input, reasoning } = given;
  const cost = toCost(given['cost']);
  return {
    provider,
    model,
    name: typeof name === 'string' && name.trim() !== '' ? inertLine(name, 80) : model,
    ...(connection === undefined ? {} : { detail: new URL(connection.baseUrl).host }),
    contextWindow: countOf(given['contextWindow']) ?? defaults.contextWindow,
    maxOutputTokens: countOf(given['maxTokens']) ?? defaults.maxOutputTokens,
    toolCalling: !isRecord(given['compat']) || given['compat']['supportsTools'] !== false,
    imageInput: Array.isArray(input) ? input.includes('image') : defaults.imageInput === true,
    thinking: reasoning === true,
    ...(cost === undefined ? {} : { cost }),
  };
}

function toCost(given: unknown): ModelCost | undefined {
  if (!isRecord(given)) return undefined;
  const price = (field: string): number | undefined => {
    const value = given[field];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const input = price('input');
  const output = price('output');
  const cacheRead = price('cacheRead');
  const cacheWrite = price('cacheWrite');
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
