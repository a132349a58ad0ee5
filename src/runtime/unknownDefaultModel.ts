import { inertLine } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';

/** A problem where the config's `model` names none that is there; looked up each time, since models come and go. */
export function unknownDefaultModel(
  models: ModelRegistry,
  name: string | undefined,
  source: string,
): readonly Diagnostic[] {
  if (name === undefined || models.find(name) !== undefined) return [];
  return [
    {
      level: 'error',
      code: 'model_unknown',
      message: `model: there is no model “${inertLine(name, 120)}”. The built-in model answers until then.`,
      hint: 'Correct the key “model” in your config, or add the model with “Pincer: Add Model…”.',
      source,
    },
  ];
}
