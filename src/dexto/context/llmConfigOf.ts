import type { PointContext } from '../../hooks/payloads/pointHooks.ts';
import type { ValidatedLLMConfig } from '../dextoTypes.ts';

/** The model that answers, by upstream's names and field by field: no key or address can come along. Pure. */
export function llmConfigOf({
  model,
  settings,
}: Pick<PointContext, 'model' | 'settings'>): ValidatedLLMConfig {
  return Object.freeze({
    provider: model.provider,
    model: model.model,
    maxInputTokens: model.contextWindow,
    maxOutputTokens: settings?.maxTokens ?? model.maxOutputTokens,
    ...(settings?.temperature === undefined ? {} : { temperature: settings.temperature }),
  });
}
