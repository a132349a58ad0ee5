import { isRecord } from '../../base/json.ts';
import type { ModelCost } from '../../contracts/model.ts';

/** One model of a server's list; of what few servers say, only what this one said. */
export interface ListedModel {
  /** What the server calls it; goes into `ModelInfo.model`. */
  readonly id: string;
  /** What people call it. */
  readonly name?: string;
  /** Tokens (vLLM, LM Studio, OpenRouter, Anthropic, Google). */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly imageInput?: boolean;
  readonly thinking?: boolean;
  /** OpenRouter only. */
  readonly cost?: ModelCost;
}

/** Every server's list of models, sorted by id; undefined for what is no list. Models that write no text are left out. */
export function readModelList(json: unknown): ListedModel[] | undefined {
  const data = isRecord(json) ? (json['data'] ?? json['models']) : json;
  if (!Array.isArray(data)) return undefined;
  return data.flatMap(readModel).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function readModel(entry: unknown): ListedModel[] {
  if (!isRecord(entry)) return [];
  const listed = entry['id'] ?? entry['name'];
  if (typeof listed !== 'string' || listed === '') return [];
  const methods = entry['supportedGenerationMethods'];
  if (Array.isArray(methods) && !methods.includes('generateContent')) return [];
  const id = listed.replace(/^models\//u, '');
  const name = [entry['display_name'], entry['displayName'], entry['name']].find(
    (each): each is string => typeof each === 'string' && each !== '' && each !== listed,
  );
  const top = isRecord(entry['top_provider']) ? entry['top_provider'] : {};
  const contextWindow = firstCount(
    entry['max_model_len'],
    entry['context_length'],
    entry['max_context_length'],
    entry['inputTokenLimit'],
    entry['max_input_tokens'],
  );
  const maxOutputTokens = firstCount(
    top['max_completion_tokens'],
    entry['outputTokenLimit'],
    entry['max_tokens'],
  );
  const imageInput = readImageInput(entry);
  const thinking = readThinking(entry);
  const cost = readCost(entry['pricing']);
  return [
    {
      id,
      ...(name !== undefined && { name }),
      ...(contextWindow !== undefined && { contextWindow }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(imageInput !== undefined && { imageInput }),
      ...(thinking !== undefined && { thinking }),
      ...(cost !== undefined && { cost }),
    },
  ];
}

function firstCount(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => Number.isInteger(value) && Number(value) > 0);
}

function readImageInput(entry: Readonly<Record<string, unknown>>): boolean | undefined {
  const architecture = isRecord(entry['architecture']) ? entry['architecture'] : {};
  const modalities = architecture['input_modalities'];
  if (Array.isArray(modalities)) return modalities.includes('image');
  return supports(entry, 'image_input');
}

function readThinking(entry: Readonly<Record<string, unknown>>): boolean | undefined {
  if (typeof entry['thinking'] === 'boolean') return entry['thinking'];
  const parameters = entry['supported_parameters'];
  if (Array.isArray(parameters)) return parameters.includes('reasoning');
  return supports(entry, 'thinking');
}

/** Anthropic's `capabilities`: `{"thinking": {"supported": true}}`. */
function supports(entry: Readonly<Record<string, unknown>>, capability: string): boolean | undefined {
  const capabilities = isRecord(entry['capabilities']) ? entry['capabilities'] : {};
  const found = capabilities[capability];
  return isRecord(found) && typeof found['supported'] === 'boolean' ? found['supported'] : undefined;
}

/** OpenRouter's `pricing`: dollars a token, as texts. */
function readCost(pricing: unknown): ModelCost | undefined {
  if (!isRecord(pricing)) return undefined;
  const perMillion = (field: string): number | undefined => {
    const dollars = Number(pricing[field] ?? Number.NaN);
    // Binary fractions: 0.0000008 times a million is not quite 0.8.
    return Number.isFinite(dollars) && dollars >= 0 ? Number((dollars * 1e6).toPrecision(12)) : undefined;
  };
  const input = perMillion('prompt');
  const output = perMillion('completion');
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = perMillion('input_cache_read');
  const cacheWrite = perMillion('input_cache_write');
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}
