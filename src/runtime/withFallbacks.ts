import { inertLine } from '../base/text.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model } from '../contracts/model.ts';
import { refName, type ModelRegistry } from '../models/createModelRegistry.ts';
import { createFallbackModel } from '../models/fallback/createFallbackModel.ts';

/**
 * The model with those that answer where it can't, by name (`agent.fallbacks`, an agent's own in their place); to be made
 * for each turn. Names that are not there are skipped: `unknownFallbacks` tells of them.
 */
export function withFallbacks(
  models: Pick<ModelRegistry, 'find'>,
  model: Model,
  names: readonly string[],
): Model {
  const chain = new Map([[refName(model.info), model]]);
  for (const found of names.flatMap((name) => models.find(name) ?? [])) {
    const name = refName(found.info);
    if (!chain.has(name)) chain.set(name, found);
  }
  const [, ...others] = chain.values();
  return others.length === 0 ? model : createFallbackModel([model, ...others]);
}

/** Problems where fallbacks of the config name models that are not there; looked up each time, since models come and go. */
export function unknownFallbacks(
  models: Pick<ModelRegistry, 'find'>,
  { agent, agents }: Pick<PincerConfig, 'agent' | 'agents'>,
  source: string,
): readonly Diagnostic[] {
  const lists = [
    { path: ['agent', 'fallbacks'], names: agent.fallbacks },
    ...agents.list.map(({ id, fallbacks = [] }) => ({ path: ['agents', id, 'fallbacks'], names: fallbacks })),
  ];
  return lists.flatMap(({ path, names }) =>
    names.flatMap((name, at): readonly Diagnostic[] => {
      if (models.find(name) !== undefined) return [];
      const key = path.join('.');
      return [
        {
          level: 'warn',
          code: 'model_unknown',
          message: `${key}: there is no model “${inertLine(name, 120)}”, so it is skipped.`,
          hint: `Correct the key “${key}” in your config, or add the model with “Pincer: Add Model…”.`,
          source,
          key: [...path, at],
        },
      ];
    }),
  );
}
