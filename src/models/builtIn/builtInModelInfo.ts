import type { ModelInfo, ModelRef } from '../../contracts/model.ts';

/** How the built-in model presents itself; small, because activation needs it. */
export const builtInModelInfo: ModelInfo = {
  provider: 'pincer',
  model: 'built-in',
  name: 'Pincer built-in',
  detail: 'Search and plain commands, no AI',
  contextWindow: 100_000,
  maxOutputTokens: 8_000,
  toolCalling: true,
};

/** True for the model that is no AI and answers those who have none: it can't summarise and uses no tokens. Pure. */
export function isBuiltIn({ provider, model }: ModelRef): boolean {
  return provider === builtInModelInfo.provider && model === builtInModelInfo.model;
}
